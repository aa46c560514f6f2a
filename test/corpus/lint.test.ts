// Real descriptions, which nobody poisoned: what lint finds hidden or addressed to a model in them, by its place.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Failure, lintDescription } from '../../src/index.js';
import { CORPUS, jsonFiles } from './files.js';

/**
 * How it was checked: the first rules found 116 places in the whole corpus. The 112 instructions were eight phrases; each phrase and
 * the first place of each were looked at, none spoke to a model, and the rules were narrowed until none was left. The four that are
 * left here were looked at one by one: each text holds a U+200B. Operations without a finding were not read.
 */
const HIDDEN: readonly string[] = [
  'discovery/apigee.v1.json#/resources/organizations/resources/environments/resources/securityActions/methods/create/parameters/securityActionId/description',
  'discovery/dfareporting.v5.json#/schemas/CartData/properties/merchantFeedLabel/description',
  'openapi/elasticsearch-serverless.json#/paths/~1_transform~1{transform_id}~1_start/post/description',
  'openapi/guru-snyk.io.json#/paths/~1org~1{orgId}~1project~1{projectId}~1tags/post/description',
];

/** `PROVIDERS=all` reads every file; otherwise one in ten, and those with findings. */
const EVERY = process.env.PROVIDERS === 'all' ? 1 : 10;

async function found(file: string): Promise<readonly string[]> {
  try {
    const findings = await lintDescription({ file: join(CORPUS, file) });
    return findings
      .filter(({ code }) => code === 'hidden-characters' || code === 'instruction-to-model')
      .map(({ at }) => `${file}#${at}`);
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}

describe.skipIf(!existsSync(CORPUS))('lint of the corpus', () => {
  it('finds what is hidden, and no instruction where there is none', async () => {
    const all: string[] = [];
    const files = jsonFiles('').sort();
    for (const [index, file] of files.entries()) {
      if (index % EVERY === 0 || HIDDEN.some((at) => at.startsWith(`${file}#`))) all.push(...(await found(file)));
    }
    expect(all).toEqual(HIDDEN);
  }, 300_000);
});
