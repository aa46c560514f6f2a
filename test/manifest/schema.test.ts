// The published JSON Schema, the reader and the reference say the same of a manifest.
import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { readManifest } from '../../src/manifest/read.js';
import { manifestSchema } from '../../src/manifest/schema.js';
import { BAD, GOOD } from './samples.js';

const FILE = new URL('../../toolwright.schema.json', import.meta.url);
const text = `${JSON.stringify(manifestSchema(), null, 2)}\n`;
if (process.env.GOLDEN === 'write') writeFileSync(FILE, text);

const published = JSON.parse(readFileSync(FILE, 'utf8')) as Node;
const accepts = new Ajv2020({ strict: true, strictRequired: false }).compile(published);

interface Node {
  readonly description?: string;
  readonly properties?: { readonly [name: string]: Node };
  readonly items?: Node;
  readonly additionalProperties?: Node | false;
}

/** Every key that a schema knows, by its path; `*` is a name of the writer's, `[]` an item. */
function keys(node: Node, at = ''): string[] {
  const own = Object.entries(node.properties ?? {}).flatMap(([name, inner]) => [
    `${at}/${name}`,
    ...keys(inner, `${at}/${name}`),
  ]);
  const free = typeof node.additionalProperties === 'object' ? keys(node.additionalProperties, `${at}/*`) : [];
  return [...own, ...free, ...(node.items === undefined ? [] : keys(node.items, `${at}/[]`))];
}

/** Every key that stands in a value, by its path as the schema has it. */
function written(value: unknown, node: Node, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => written(item, node.items ?? {}, `${at}/[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = node.properties?.[name];
    if (known !== undefined) return [`${at}/${name}`, ...written(inner, known, `${at}/${name}`)];
    return typeof node.additionalProperties === 'object' ? written(inner, node.additionalProperties, `${at}/*`) : [];
  });
}

describe('the published schema', () => {
  it('is the one of the reader', () => {
    expect(readFileSync(FILE, 'utf8')).toBe(text);
  });

  it.each(Object.entries(GOOD))('accepts what the reader accepts: %s', (_name, manifest) => {
    expect(readManifest(JSON.stringify(manifest), 'toolwright.yaml').manifest).toMatchObject({ sources: {} });
    expect(accepts(manifest) || accepts.errors).toBe(true);
  });

  it.each(Object.entries(BAD))('refuses what the reader refuses: %s', (_name, [, manifest]) => {
    expect(() => readManifest(JSON.stringify(manifest), 'toolwright.yaml')).toThrow(
      expect.objectContaining({ code: 'invalid-manifest' }),
    );
    expect(accepts(manifest)).toBe(false);
  });

  it('has no key that no good manifest of the tests has, but for the bounds', () => {
    const used = new Set(Object.values(GOOD).flatMap((manifest) => written(manifest, published)));
    expect(keys(published).filter((key) => !used.has(key) && !key.startsWith('/limits/'))).toEqual([]);
  });

  it('says of every key what it is', () => {
    const bare = (node: Node, at = ''): string[] => [
      ...(node.description === undefined ? [at] : []),
      ...Object.entries(node.properties ?? {}).flatMap(([name, inner]) => bare(inner, `${at}/${name}`)),
      ...(typeof node.additionalProperties === 'object' ? bare(node.additionalProperties, `${at}/*`) : []),
    ];
    expect(bare(published)).toEqual([]);
  });

  it('is in the package', () => {
    const { files } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(files).toContain('toolwright.schema.json');
  });
});

describe('the reference', () => {
  const reference = readFileSync(new URL('../../docs/manifest.md', import.meta.url), 'utf8');
  /** A heading names the record by the paths where it stands, a row a key of it. */
  const sections = reference.split(/^## /m).slice(1);

  it('has each key of the schema, in its words', () => {
    const found = new Map<string, string>();
    for (const section of sections) {
      const paths = [...(section.split('\n')[0] ?? '').matchAll(/`([^`]*)`/g)].map(([, path = '']) => path);
      for (const [, key = '', about = ''] of section.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)) {
        for (const path of paths) found.set(`${path === '/' ? '' : path}/${key}`, about.replaceAll('\\|', '|'));
      }
    }
    const said = new Map<string, string>();
    const collect = (node: Node, at: string): void => {
      for (const [name, inner] of Object.entries(node.properties ?? {})) {
        said.set(`${at}/${name}`, inner.description ?? '');
        collect(inner, `${at}/${name}`);
      }
      if (typeof node.additionalProperties === 'object') collect(node.additionalProperties, `${at}/*`);
    };
    collect(published, '');
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(said));
  });
});
