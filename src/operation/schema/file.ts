// Which properties of several parts are files, in every way the schema languages say so; and what is shown of one.
import { isObject, type JsonObject, own, ownString } from '../../base/json.js';
import { bodyForm, isMediaType } from '../../base/media.js';
import type { Emitted } from './build.js';
import type { Part, Walk } from './walk.js';

/** One file, a list of files, or either. */
export interface FileShape {
  readonly one: boolean;
  readonly many: boolean;
  /** The media type that the schema names. */
  readonly content_type?: string;
}

/** `open`: nothing is said of the value, or only that it may be null. */
type Found = FileShape | 'open' | 'other';

/** Keywords that make a value without a type one of JSON. */
const OF_JSON = ['properties', 'additionalProperties', 'enum', 'const', 'prefixItems', 'pattern'];

/**
 * The files that a property is, undefined where it is none: `format: binary` (OpenAPI 3.0), `contentMediaType` of bytes without
 * `contentEncoding` (OpenAPI 3.1.1, Working with Binary Data), `type: file` (Swagger 2.0), an empty schema whose part is bytes.
 * `format: byte` and `contentEncoding: base64` are text.
 * @param forms the descriptions of the property; each is one or several parts that hold together.
 * @param binary the description encodes this part as bytes.
 */
export function fileShape(walk: Walk, forms: readonly (readonly Part[])[], binary: boolean): FileShape | undefined {
  const found = either(forms.map((parts) => all(parts.map((part) => read(walk, part, binary)))));
  if (found === 'open') return binary ? ONE : undefined;
  return found === 'other' ? undefined : found;
}

const ONE: FileShape = { one: true, many: false };

function read(walk: Walk, part: Part, binary: boolean): Found {
  const { node, at } = part;
  walk.budget.spend(1);
  if (!isObject(node)) return 'open';
  const found: Found[] = [];
  const reference = walk.dialect.reference(node);
  if (reference !== undefined) {
    const target = walk.follow(part, reference);
    found.push(target === undefined ? 'other' : read(walk, target, binary));
    if (!walk.dialect.siblings) return all(found);
  }
  const list = (key: string): readonly Part[] => {
    const given = own(node, key);
    if (!Array.isArray(given)) return [];
    return given.map((one, i) => walk.branch(part, one, `${at}/${key}/${i}`));
  };
  for (const member of list('allOf')) found.push(read(walk, member, binary));
  for (const key of ['anyOf', 'oneOf']) {
    const branches = list(key);
    if (branches.length > 0) found.push(either(branches.map((branch) => read(walk, branch, binary))));
  }
  found.push(readTyped(walk, part, node, binary));
  return all(found);
}

/** What the keywords of a node itself say. */
function readTyped(walk: Walk, part: Part, node: JsonObject, binary: boolean): Found {
  const types = [own(node, 'type') ?? []].flat().filter((type) => type !== 'null');
  const [type] = types;
  if (types.length > 1) return 'other';
  if (type === 'file') return ONE;
  const items = own(node, 'items');
  if (type === 'array' || (type === undefined && items !== undefined)) {
    const found = read(walk, walk.down(part, items, `${part.at}/items`), binary);
    if (found === 'open') return binary ? { one: false, many: true } : 'other';
    return found === 'other' || found.many ? 'other' : { ...found, one: false, many: true };
  }
  if (type !== undefined && type !== 'string') return 'other';
  const media = ownString(node, 'contentMediaType');
  const content = media !== undefined && isNamed(media) ? { content_type: media } : {};
  if (own(node, 'format') === 'binary') return { ...ONE, ...content };
  const encoded = own(node, 'contentEncoding') !== undefined;
  if (media !== undefined && !encoded && (type === undefined || bodyForm(media) === 'binary'))
    return { ...ONE, ...content };
  return type !== undefined || encoded || OF_JSON.some((key) => Object.hasOwn(node, key)) ? 'other' : 'open';
}

function isNamed(media: string): boolean {
  return isMediaType(media);
}

/** Of parts that hold together: a file where one says so. */
function all(found: readonly Found[]): Found {
  return found.find((one) => typeof one === 'object') ?? found.find((one) => one === 'other') ?? 'open';
}

/** Of alternatives: files where all are. */
function either(found: readonly Found[]): Found {
  const said = found.filter((one) => one !== 'open');
  if (said.length === 0) return 'open';
  const files = said.filter((one) => typeof one === 'object');
  if (files.length < said.length) return 'other';
  const named = files.find(({ content_type }) => content_type !== undefined);
  return {
    one: files.some(({ one }) => one),
    many: files.some(({ many }) => many),
    ...(named?.content_type === undefined ? {} : { content_type: named.content_type }),
  };
}

const FILE = {
  type: 'object',
  properties: {
    data: { type: 'string', description: 'Base64 or a data URI' },
    filename: { type: 'string' },
    content_type: { type: 'string' },
  },
  required: ['data'],
  additionalProperties: false,
};
const FILES = { type: 'array', items: FILE };

/** What is shown of a file. */
export function fileSchema({ one, many }: FileShape): Emitted {
  const schema = !many ? FILE : one ? { anyOf: [FILE, FILES] } : FILES;
  return { schema, bytes: Buffer.byteLength(JSON.stringify(schema)), hidden: false, never: false };
}
