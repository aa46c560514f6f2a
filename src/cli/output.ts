// Where the data of a command goes, where that is a file.
import { appendFile, writeFile } from 'node:fs/promises';
import { Failure } from '../base/failure.js';
import { quoted } from '../base/text.js';

/** @throws Failure `output-unwritable`. */
export function writeOutput(path: string, text: string): Promise<void> {
  return withName(path, writeFile(path, text));
}

/** @throws Failure `output-unwritable`. */
export function appendOutput(path: string, text: string): Promise<void> {
  return withName(path, appendFile(path, text));
}

async function withName(path: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new Failure('output-unwritable', `the file ${quoted(path, 120)} could not be written (${code})`, {}, error);
  }
}
