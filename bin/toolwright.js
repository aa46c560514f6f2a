#!/usr/bin/env node
// Starts the command line from the build.
import { run } from '../dist/bin/main.js';

process.exitCode = await run(process.argv.slice(2));
