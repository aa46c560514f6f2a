// Descriptions in several files for tests: written to a folder of their own, or served from loopback.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { type Preview, type PreviewOptions, preview } from '../../src/index.js';

/** A file by its path: a text, or a value that is written as JSON. */
export type Files = Readonly<Record<string, unknown>>;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

/** The path of a new folder that holds the files below `api/`. */
export function folderOf(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-files-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, 'api', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, textOf(content));
  }
  return folder;
}

/** A description with one operation for each schema, `POST /0` and so on. */
export function describing(schemas: readonly unknown[], more: Files = {}): Files {
  const paths = schemas.map((schema, i) => [
    `/${i}`,
    { post: { requestBody: { content: { 'application/json': { schema } } }, responses: {} } },
  ]);
  return { openapi: '3.1.0', info: { title: 'Kennel' }, paths: Object.fromEntries(paths), ...more };
}

/** A description with one operation for each reference. */
export function referring(references: readonly unknown[], more: Files = {}): Files {
  return describing(
    references.map(($ref) => ({ $ref })),
    more,
  );
}

export function previewOf(files: Files, options: PreviewOptions = {}): Promise<Preview> {
  return preview({ file: join(folderOf(files), 'api/openapi.json') }, options);
}

/** The names of the arguments of `POST /i`, or the reason why it is none. */
export function come(answer: Preview, i: number): readonly string[] | string {
  const key = `POST /${i}`;
  const operation = answer.operations.find((one) => one.key === key);
  if (operation !== undefined) return Object.keys(operation.input_schema.properties as object);
  const refusal = answer.unimportable.find((one) => one.key === key);
  return refusal === undefined ? 'nothing' : `${refusal.code}: ${refusal.reason}`;
}

/** Serves files by their path, and keeps what was asked for. */
export function serving(files: Files, asked: string[] = []): RequestListener {
  return (request, response) => {
    const url = request.url ?? '';
    asked.push(url);
    const name = decodeURIComponent(url.slice(1).split('?', 1)[0] ?? '');
    if (!Object.hasOwn(files, name)) response.writeHead(404).end();
    else response.end(textOf(files[name]));
  };
}

/** A schema of one property. */
export function having(name: string): Files {
  return { type: 'object', properties: { [name]: { type: 'string' } } };
}
