// Which operations of a description are meant: by key, tag, method and path.
import picomatch from 'picomatch';
import { Failure } from '../base/failure.js';
import { isObject, own } from '../base/json.js';
import { nearest } from '../base/nearest.js';
import { quoted } from '../base/text.js';
import type { Head } from '../operation/operation.js';

/**
 * Operations by what they are. Kinds narrow each other; within one kind any value will do. `all` alone: every operation.
 */
export interface Select {
  readonly keys?: readonly string[];
  readonly all?: boolean;
  readonly tags?: readonly string[];
  /** In any case. */
  readonly methods?: readonly string[];
  /** Globs over the path as the description writes it: `*` is within a segment, `**` over segments. */
  readonly paths?: readonly string[];
  /** Not these: keys, and globs over paths, which begin with a slash. */
  readonly exclude?: readonly string[];
  /** false: none that is deprecated. */
  readonly deprecated?: boolean;
}

const KEYS = new Set(['keys', 'all', 'tags', 'methods', 'paths', 'exclude', 'deprecated']);

/**
 * @throws Failure `bad-request` for a selection that selects nothing on purpose, or by a field that does not exist.
 */
function checkShape(select: Select): void {
  const unknown = Object.keys(select).find((key) => !KEYS.has(key));
  if (unknown !== undefined) throw new Failure('bad-request', `a selection has no field ${quoted(unknown)}`);
  let given = select.all === true;
  if (select.deprecated !== undefined && typeof select.deprecated !== 'boolean') {
    throw new Failure('bad-request', 'deprecated of a selection is neither true nor false');
  }
  for (const key of ['keys', 'tags', 'methods', 'paths', 'exclude'] as const) {
    const list = select[key];
    if (list === undefined) continue;
    if (!Array.isArray(list) || !list.every((one) => typeof one === 'string' && one !== '')) {
      throw new Failure('bad-request', `the ${key} of a selection are not a list of texts that are not empty`);
    }
    given ||= list.length > 0 && key !== 'exclude';
  }
  if (!given) throw new Failure('bad-request', 'a selection says nothing; all: true selects every operation');
}

/**
 * A predicate over heads.
 * @throws Failure `bad-request`.
 */
export function selector(select: Select): (head: Pick<Head, 'key' | 'tags' | 'method' | 'path' | 'place'>) => boolean {
  checkShape(select);
  const { keys, tags, methods, paths, exclude = [], deprecated } = select;
  const wantedKeys = keys?.length ? new Set(keys) : undefined;
  const tagged = tags?.length ? holdsOneOf(new Set(tags)) : undefined;
  const wantedMethods = methods?.length ? new Set(methods.map((method) => method.toUpperCase())) : undefined;
  const matches = globs(paths ?? []);
  const unwanted = new Set(exclude);
  const excluded = globs(exclude.filter(isGlob));
  return (head) =>
    (wantedKeys === undefined || wantedKeys.has(head.key)) &&
    (tagged === undefined || tagged(head.tags)) &&
    (wantedMethods === undefined || wantedMethods.has(head.method.toUpperCase())) &&
    (matches === undefined || matches(head.path)) &&
    !unwanted.has(head.key) &&
    excluded?.(head.path) !== true &&
    (deprecated !== false || !isDeprecated(head));
}

/** Those of `exclude` that name or match none of the operations. */
export function unmatchedIn(
  exclude: readonly string[],
  heads: readonly Pick<Head, 'key' | 'path'>[],
): readonly string[] {
  if (exclude.length === 0) return [];
  const keys = new Set(heads.map(({ key }) => key));
  return exclude.filter((one) => !keys.has(one) && !(isGlob(one) && heads.some(matchesOf(one))));
}

/** A part of a selection that no operation has, and the one that may be meant. */
export interface Unmatched {
  readonly kind: 'tag' | 'method' | 'path';
  readonly value: string;
  readonly nearest?: string;
}

/** The tags, methods and paths of a selection that match none of the operations. */
export function unmatchedOf(
  { tags = [], methods = [], paths = [] }: Select,
  heads: readonly Pick<Head, 'tags' | 'method' | 'path'>[],
): readonly Unmatched[] {
  const found = (kind: Unmatched['kind'], value: string, known: readonly string[]): Unmatched => {
    const near = nearest(value, [...new Set(known)]);
    return { kind, value, ...(near === undefined ? {} : { nearest: near }) };
  };
  const allTags = tags.length > 0 ? tagsOf(heads) : new Set<string>();
  const allMethods = new Set(heads.map(({ method }) => method.toUpperCase()));
  return [
    ...tags.filter((tag) => !allTags.has(tag)).map((tag) => found('tag', tag, [...allTags])),
    ...methods
      .filter((method) => !allMethods.has(method.toUpperCase()))
      .map((method) => found('method', method, [...allMethods])),
    ...paths
      .filter((glob) => !heads.some(matchesOf(glob)))
      .map((glob) =>
        found(
          'path',
          glob,
          heads.map(({ path }) => path),
        ),
      ),
  ];
}

/** Thousands of operations may share one long list. */
function tagsOf(heads: readonly Pick<Head, 'tags'>[]): ReadonlySet<string> {
  const all = new Set<string>();
  for (const list of new Set(heads.map(({ tags }) => tags))) {
    for (const tag of list) if (typeof tag === 'string') all.add(tag);
  }
  return all;
}

/** True of a list that holds one of the tags; a list that several operations share is looked at once. */
function holdsOneOf(wanted: ReadonlySet<string>): (tags: Head['tags']) => boolean {
  const known = new Map<Head['tags'], boolean>();
  return (tags) => {
    let holds = known.get(tags);
    if (holds === undefined) {
      holds = tags.some((tag) => wanted.has(tag as string));
      known.set(tags, holds);
    }
    return holds;
  };
}

function matchesOf(glob: string): (head: Pick<Head, 'path'>) => boolean {
  const matches = globs([glob]);
  return ({ path }) => matches?.(path) === true;
}

function isGlob(text: string): boolean {
  return text.startsWith('/');
}

/** Braces and brackets are part of a path, never of the glob. */
function globs(paths: readonly string[]): ((path: string) => boolean) | undefined {
  if (paths.length === 0) return undefined;
  return picomatch(paths.map(escaped), { nobrace: true, noextglob: true, nobracket: true, nonegate: true, dot: true });
}

/** All kinds of descriptions say it in the same word. */
function isDeprecated({ place: { node } }: Pick<Head, 'place'>): boolean {
  return isObject(node) && own(node, 'deprecated') === true;
}

function escaped(glob: string): string {
  return glob.replace(/[{}[\]()+@!|^$\\]/g, '\\$&');
}

/**
 * What these keys name, in their order, each once.
 * @throws Failure `unknown-operation` naming the first that is not there and the nearest that is.
 */
export function byKeys<T>(known: ReadonlyMap<string, T>, keys: readonly string[]): T[] {
  return [...new Set(keys)].map((key) => {
    const one = known.get(key);
    if (one !== undefined) return one;
    const near = nearest(key, [...known.keys()]);
    const hint = near === undefined ? '' : `; did you mean ${quoted(near, 120)}?`;
    throw new Failure('unknown-operation', `the description holds no operation ${quoted(key, 120)}${hint}`, {
      operation: key,
    });
  });
}
