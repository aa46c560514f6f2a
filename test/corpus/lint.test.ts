// Real descriptions, which nobody poisoned: what lint finds hidden or addressed to a model in them, by its place.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/base/json.js';
import { decode } from '../../src/document/decode.js';
import { Failure, lintDescription, lintTools } from '../../src/index.js';
import { sampleTool } from '../store/sample.js';
import { CORPUS, jsonFiles } from './files.js';

/**
 * How it was checked. Every text and every key of all 3,368 files of the corpus (YAML, files in parts and histories included; 359,000
 * different texts) was held against both rules. Hidden: eight texts; the four here are in what lint reads, and in each the U+200B
 * was looked at with the words around it: it stands inside a pattern, twice before a URL, behind a dash, and alone in a description.
 * None of them is part of how a script is written. The other four are examples and an extension, which lint does not read.
 * Instructions: three texts, all of them examples or a URL of a server, which lint does not read.
 */
const HIDDEN: readonly string[] = [
  'discovery/apigee.v1.json#/resources/organizations/resources/environments/resources/securityActions/methods/create/parameters/securityActionId/description',
  'discovery/dfareporting.v5.json#/schemas/CartData/properties/merchantFeedLabel/description',
  'openapi/elasticsearch-serverless.json#/paths/~1_transform~1{transform_id}~1_start/post/description',
  'openapi/guru-snyk.io.json#/paths/~1org~1{orgId}~1project~1{projectId}~1tags/post/description',
];

/** `PROVIDERS=all` reads every file; otherwise one in ten, and those with findings. */
const EVERY = process.env.PROVIDERS === 'all' ? 1 : 10;

const CODES: ReadonlySet<string> = new Set(['hidden-characters', 'instruction-to-model']);

async function found(file: string): Promise<readonly string[]> {
  try {
    const findings = await lintDescription({ file: join(CORPUS, file) });
    return findings.filter(({ code }) => CODES.has(code)).map(({ at }) => `${file}#${at}`);
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}

interface Read {
  /** File, `#`, and the pointer of a summary, description or title. */
  readonly key: string;
  readonly drawn: string;
  readonly verdict: string;
}

/**
 * A hundred texts that a reader judged before lint was asked. By the hash of their keys: fifty from all folders in turn, the first text of
 * each file; and fifty, five for each, that hold unusual characters or words near the rules (`drawn` says which), no two of one file.
 * Each was read, those over 2,600 characters (none) in part. One holds a hidden character; none speaks to the model that reads it,
 * though some tell what an API does with prompts and instructions.
 */
const SAMPLE = JSON.parse(
  readFileSync(new URL('../../golden/lint-sample.json', import.meta.url), 'utf8'),
) as readonly Read[];

const documents = new Map<string, unknown>();

async function textAt(key: string): Promise<string> {
  const [file = '', pointer = ''] = key.split('#', 2);
  if (!documents.has(file)) {
    const text = readFileSync(join(CORPUS, file), 'utf8');
    documents.set(file, await decode({ name: file, text }, 'extended'));
  }
  const keys = key.slice(file.length + 2).split('/');
  const value = keys.reduce<unknown>((node, one) => {
    const name = one.replaceAll('~1', '/').replaceAll('~0', '~');
    return Array.isArray(node) ? node[Number(name)] : isObject(node) ? node[name] : undefined;
  }, documents.get(file));
  if (typeof value !== 'string') throw new Error(`no text at ${file}#${pointer}`);
  return value;
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

  it('says of a hundred texts what their reader said', async () => {
    expect(new Set(SAMPLE.map(({ key }) => key)).size).toBe(100);
    const said: Read[] = [];
    for (const one of SAMPLE) {
      const findings = lintTools([sampleTool('one', { description: await textAt(one.key) })]);
      const codes = findings.map(({ code }) => code).filter((code) => CODES.has(code));
      said.push({ ...one, verdict: codes.join(' ') || 'plain' });
    }
    expect(said).toEqual(SAMPLE);
  }, 300_000);
});
