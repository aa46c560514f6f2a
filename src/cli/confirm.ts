// A question to a person at a terminal.

import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { endInterrupted } from './interrupt.js';

/** True where there is a person who could answer. */
export function isAttended(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** True for `y` or `yes`; anything else, and the end of the input, is no. An interrupt ends the program. */
export function confirmed(
  question: string,
  input: Readable = process.stdin,
  output: Writable = process.stderr,
): Promise<boolean> {
  const lines = createInterface({ input, output });
  return new Promise((resolve) => {
    lines.once('SIGINT', () => {
      output.write('\n');
      endInterrupted();
    });
    lines.once('close', () => resolve(false));
    lines.question(`${question} [y/N] `, (answer) => {
      resolve(/^\s*y(?:es)?\s*$/i.test(answer));
      lines.close();
    });
  });
}
