// What a missing operation may go by now: one that is no tool yet, with the same method, and the same in one more respect.
import { canonical } from '../base/canonical.js';
import { isObject } from '../base/json.js';
import type { HttpTool, OwnedForm } from '../tool/tool.js';
import { ownedForm } from './owned.js';
import type { KnownOperation, Missing, PlanRequest, Renamed } from './plan.js';

/** A missing tool, or an operation that is no tool; `form` where it was read. */
interface Candidate<T> {
  readonly of: T;
  readonly method: string;
  readonly endpoint: string;
  readonly form?: OwnedForm;
}

/** Each respect, from the strongest on: what two operations share that have the same keys of it. */
const RESPECTS: readonly { readonly reason: string; readonly keys: (one: Candidate<unknown>) => readonly string[] }[] =
  [
    { reason: 'has the same method and path', keys: ({ endpoint }) => [pathOf(endpoint)] },
    {
      reason: 'has the same method, and a path that is only written otherwise',
      keys: ({ endpoint }) => [loose(pathOf(endpoint))],
    },
    {
      reason: 'has the same method, and a path of another version',
      keys: ({ endpoint }) => versionless(loose(pathOf(endpoint))),
    },
    {
      reason: 'has the same method and the same arguments',
      keys: ({ form }) => (form === undefined ? [] : argumentsOf(form)),
    },
  ];

/**
 * A hint for each missing tool that shares a key of the first such respect with exactly one operation, and that operation with
 * no other missing tool. One pass over all of them for each respect.
 */
export function renamedOf(
  missing: readonly Missing[],
  group: readonly PlanRequest[],
  ours: ReadonlyMap<string, HttpTool>,
): readonly Renamed[] {
  let gone = missing.flatMap((of): Candidate<Missing>[] => {
    const tool = ours.get(of.operation);
    if (tool === undefined) return [];
    const form = ownedForm(tool);
    return [{ of, method: form.method, endpoint: form.endpoint, form }];
  });
  let fresh = group.flatMap((request) => freshOf(request, ours));
  const found = new Map<Missing, Renamed>();
  for (const { reason, keys } of RESPECTS) {
    const keysOf = (one: Candidate<unknown>) => keys(one).map((key) => `${one.method} ${key}`);
    const [left, right] = [byKey(gone, keysOf), byKey(fresh, keysOf)];
    const taken = new Set<Candidate<string>>();
    for (const [key, these] of left) {
      const those = right.get(key) ?? [];
      const [from, to] = [these[0], those[0]];
      if (these.length !== 1 || those.length !== 1 || from === undefined || to === undefined) continue;
      found.set(from.of, { from: from.of, operation: to.of, reason });
      taken.add(to);
    }
    gone = gone.filter(({ of }) => !found.has(of));
    fresh = fresh.filter((one) => !taken.has(one));
  }
  return missing.flatMap((one) => found.get(one) ?? []);
}

/** The operations of a source that are no tools, with their forms where they were chosen. */
function freshOf({ wanted, known }: PlanRequest, ours: ReadonlyMap<string, HttpTool>): Candidate<string>[] {
  const forms = new Map(wanted.map((form) => [form.operation, form]));
  const all: Iterable<KnownOperation> = known?.() ?? wanted;
  const fresh: Candidate<string>[] = [];
  for (const { operation, method, endpoint } of all) {
    if (ours.has(operation)) continue;
    const form = forms.get(operation);
    fresh.push({ of: operation, method, endpoint, ...(form === undefined ? {} : { form }) });
  }
  return fresh;
}

function byKey<T>(
  candidates: readonly Candidate<T>[],
  keys: (one: Candidate<unknown>) => readonly string[],
): ReadonlyMap<string, readonly Candidate<T>[]> {
  const groups = new Map<string, Candidate<T>[]>();
  for (const candidate of candidates) {
    for (const key of keys(candidate)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [candidate]);
      else group.push(candidate);
    }
  }
  return groups;
}

/** What a gap is called says nothing to the API. */
function pathOf(endpoint: string): string {
  return endpoint.replace(/\{[^{}]*\}/g, '{}');
}

/** Without case, `-`, `_`, and the s of a plural. */
function loose(path: string): string {
  return path
    .toLowerCase()
    .replace(/[-_]/g, '')
    .replace(/s(?=\/|$|\?)/g, '');
}

/** Without the segments that name a version: `v2`, `v1beta1`, `2024-01-01` (its dashes are gone already). */
function versionless(path: string): readonly string[] {
  return [path.replace(/\/(?:v\d+(?:\.\d+)*(?:(?:alpha|beta)\d*)?|20\d{6})(?=\/|$|\?)/g, '')];
}

/** The arguments without their texts, where they are more than a few gaps: most operations of one key alone look alike. */
function argumentsOf({ input_schema, locations }: OwnedForm): readonly string[] {
  const { properties } = input_schema;
  if (!isObject(properties) || Object.keys(locations).length < 2) return [];
  const schemas = Object.entries(properties).map(([name, schema]) => {
    const { title: _title, description: _text, ...rest } = isObject(schema) ? schema : {};
    return [name, rest] as const;
  });
  return [canonical([Object.fromEntries(schemas), input_schema.required ?? [], locations])];
}
