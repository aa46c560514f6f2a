// How the tests run: built first, since some start the command line.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/build.ts', 'test/postgres.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
