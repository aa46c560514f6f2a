// Real descriptions in several files: each comes to the tools that its bundled form comes to.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { afterAll, describe, expect, it } from 'vitest';
import { Failure, type Preview, preview } from '../../src/index.js';

const corpus = new URL('../../../shared/corpus/', import.meta.url).pathname;
const LIMITS = { limits: { description_bytes: 64 * 1024 * 1024 } };

/** A description, and its bundled form where one of the same version lies in the corpus. */
const DESCRIPTIONS: [description: string, bundled?: string][] = [
  ['multifile/digitalocean/specification/DigitalOcean-public.v2.yaml'],
  ['multifile/oai-petstore-separate-2.0/spec/swagger.json'],
  ['multifile/pb33f-nested/openapi.yaml', 'multifile/pb33f-nested/openapi-bundled.yaml'],
  ['multifile/redocly-bundle-3.2/openapi.yaml'],
  ['multifile/redocly-cafe-split-3.2/cafe.yaml', 'edge/redocly-3.2-cafe.json'],
  ['multifile/redocly-discriminator-3.2/openapi.yaml'],
  ['multifile/redocly-starter/openapi.yaml'],
  ['multifile/sendgrid-split/oas_v3.json'],
  ['multifile/sp-circular/circular.yaml'],
  ['multifile/sp-deep-circular/deep-circular.yaml'],
];
const rows: string[] = [];

/** What is read; null where the kind, or YAML, is not read. */
async function previewed(file: string): Promise<Preview | null> {
  try {
    return await preview({ file: join(corpus, file) }, LIMITS);
  } catch (error) {
    if (error instanceof Failure && error.code === 'not-a-description') return null;
    throw error;
  }
}

/** Bundled by another program, where the corpus holds no bundled form. */
async function bundled(file: string): Promise<Preview> {
  // Samples of code are references of one description, and their files are not in the corpus.
  const samples = { order: 1, canRead: /code_samples/, read: () => 'none' };
  const document = JSON.stringify(await $RefParser.bundle(join(corpus, file), { resolve: { samples } }));
  return preview({ document }, LIMITS);
}

function tools({ operations }: Preview): Map<string, unknown> {
  return new Map(
    operations.map(({ key, name, method, path, description, input_schema, locations, body }) => [
      key,
      { name, method, path, description, input_schema, locations, body },
    ]),
  );
}

describe.skipIf(!existsSync(corpus))('descriptions in several files', () => {
  afterAll(() => console.log(`several files: tools, the same when bundled, unimportable\n${rows.join('\n')}`));

  it.each(DESCRIPTIONS)(
    '%s',
    async (description, other) => {
      const answer = await previewed(description);
      if (answer === null) {
        rows.push(`${description}: not read (${readFileSync(join(corpus, description), 'utf8').slice(0, 14).trim()})`);
        return;
      }
      const [many, one] = [tools(answer), tools((other && (await previewed(other))) || (await bundled(description)))];
      const same = [...many].filter(([key, tool]) => JSON.stringify(one.get(key)) === JSON.stringify(tool));
      rows.push(`${description}: ${many.size}, ${same.length}, ${answer.unimportable.length}`);
      for (const [key, tool] of many) expect(one.get(key), key).toEqual(tool);
      expect(many.size).toBeGreaterThan(0);
    },
    60_000,
  );
});
