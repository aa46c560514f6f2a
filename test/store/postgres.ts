// A database of its own for a test file, in the one server of the run.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/**
 * The address of an empty database; undefined where PostgreSQL cannot be started on this machine, which is said loudly.
 * In CI that is an error.
 */
export async function makeDatabase(): Promise<string | undefined> {
  const answer = (await (await fetch(inject('postgres'))).json()) as {
    readonly url?: string;
    readonly reason?: string;
  };
  if (answer.url !== undefined) {
    const name = `test_${randomBytes(6).toString('hex')}`;
    await asked(`${answer.url}/postgres`, `create database ${name}`);
    return `${answer.url}/${name}`;
  }
  const message = `PostgreSQL does not start here, so nothing of it is tested: ${answer.reason}`;
  if (process.env.CI !== undefined) throw new Error(message);
  console.error(`\n*** ${message}\n`);
  return undefined;
}

/** The rows of a statement, asked as another program would. */
export async function asked(
  url: string,
  ...statements: readonly string[]
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let rows: readonly Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}
