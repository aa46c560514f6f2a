// The text of a description -> its JSON value; where it is none, what it is instead, or the place of its first fault.
import { Failure } from '../base/failure.js';
import { DEFAULT_PROFILE, type Profile } from '../base/profile.js';
import type { Opened } from './document.js';
import { firstFault } from './fault.js';

/**
 * The value of a JSON text, as JSON.parse has it: the last of two equal keys wins, `__proto__` is a plain key. In the
 * extended profile also of a YAML text that is not JSON; what its aliases name is shared.
 * @throws Failure `not-a-description` for a text of another format that is recognized, else `not-json` or `not-yaml` with
 *   the line and the column (from 1, in UTF-16 units) of the first fault in `data`.
 */
export async function decode(opened: Opened, profile: Profile = DEFAULT_PROFILE): Promise<unknown> {
  try {
    return JSON.parse(opened.text);
  } catch {
    const found = recognized(opened.text) ?? (profile === 'core' ? yamlFormat(opened.text) : null);
    if (found !== null) {
      const read = profile === 'core' ? 'JSON' : 'JSON or YAML';
      throw new Failure('not-a-description', `${opened.name} is ${found}; a description in ${read} is read`, { found });
    }
    if (profile === 'core') throw notJson(opened);
  }
  return decodeYaml(opened);
}

/** A text that says nothing but one word or sentence is YAML as well, and not what anyone means by it. */
async function decodeYaml(opened: Opened): Promise<unknown> {
  // Loaded here: most descriptions are JSON, and the command line starts faster without it.
  const { readYaml } = await import('./yaml.js');
  let value: unknown;
  try {
    value = readYaml(opened);
  } catch (error) {
    if (yamlFormat(opened.text) === null) throw notJson(opened);
    throw error;
  }
  if (typeof value !== 'object' || value === null) throw notJson(opened);
  return value;
}

/**
 * The value of a JSON text that is no description.
 * @throws Failure `not-json` with the line and the column, as `decode` has them.
 */
export function parse(opened: Opened): unknown {
  try {
    return JSON.parse(opened.text);
  } catch {
    throw notJson(opened);
  }
}

/** True for a text that begins like an HTML page, whatever it calls itself. */
export function isHtml(text: string): boolean {
  const start = text.slice(0, HEAD_CHARACTERS).replace(/<!--.*?-->/gs, '');
  return /^\s*(?:ï»¿)?\s*<(?:!doctype\s+html|html|head|body|title|meta|script)\b/i.test(start);
}

// Recognition: only for texts that are not JSON, and only by their first characters.

const HEAD_CHARACTERS = 4096;
const SAMPLE_CHARACTERS = 64 * 1024;

function recognized(text: string): string | null {
  if (!/\S/.test(text)) return 'empty';
  if (isHtml(text)) return 'an HTML page';
  const head = text.slice(0, SAMPLE_CHARACTERS);
  const start = head.trimStart();
  if (start.startsWith('<')) return xmlFormat(start.slice(0, HEAD_CHARACTERS));
  if (/^[[{]/.test(start)) return null;
  return TEXT_FORMATS.find(([pattern]) => pattern.test(head))?.[1] ?? null;
}

function xmlFormat(start: string): string {
  if (/<(?:\w{1,40}:)?definitions\b/.test(start)) return 'a WSDL description (XML)';
  if (/wadl\.dev\.java\.net/.test(start)) return 'a WADL description (XML)';
  if (/<(?:\w{1,40}:)?Edmx\b/.test(start)) return 'OData metadata (XML)';
  return 'XML';
}

const TEXT_FORMATS: readonly (readonly [pattern: RegExp, found: string])[] = [
  [/^#%RAML/, 'RAML'],
  [/^FORMAT: *\d/i, 'API Blueprint'],
  [/^version https:\/\/git-lfs\./, 'a Git LFS pointer in place of the file'],
  [/^syntax {0,9}= {0,9}["']proto\d/m, 'a protobuf definition'],
  [/^(?:extend )?(?:type|interface|input|enum) \w+(?:[^\w\n:][^\n:]*)?\{/m, 'a GraphQL schema'],
  [/^(?:schema {0,9}\{|scalar \w+ *$|union \w+ *=|directive @)/m, 'a GraphQL schema'],
];

const YAML_FORMATS: Readonly<Record<string, string>> = {
  openapi: 'OpenAPI',
  swagger: 'Swagger',
  asyncapi: 'AsyncAPI',
  arazzo: 'Arazzo',
  overlay: 'OpenAPI Overlay',
};

/** What a text in YAML is; null for one that begins like JSON, or like neither. */
function yamlFormat(text: string): string | null {
  const head = text.slice(0, SAMPLE_CHARACTERS);
  const start = head.trimStart();
  if (/^[[{]/.test(start)) return null;
  const named = /^["']?(openapi|swagger|asyncapi|arazzo|overlay)["']? *: *["']?([\w.-]{0,20})/m.exec(head);
  if (named !== null) return `${YAML_FORMATS[named[1] ?? '']} ${named[2]} in YAML`.replace(/ {2,}/g, ' ');
  const content = start.replace(/^(?:#[^\n]*\n\s*){1,500}/, '');
  return /^(?:---|%YAML|["']?[\w$.-]{1,60}["']? *:(?: |\r?\n))/.test(content) ? 'YAML' : null;
}

function notJson({ text, name }: Opened): Failure {
  const fault = firstFault(text);
  if (fault === null) return new Failure('not-json', `${name} is not JSON`);
  const { line, column, what } = fault;
  return new Failure('not-json', `${name} is not JSON: at line ${line}, column ${column} ${what}`, { line, column });
}
