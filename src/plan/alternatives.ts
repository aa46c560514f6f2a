// Two schemas of which one at least has alternatives: each form that was taken has to be one that still is.
import { canonical } from '../base/canonical.js';
import { isObject, type JsonObject, own } from '../base/json.js';
import type { Findings } from './findings.js';
import { compareDefaults, declaredTypes } from './values.js';

const TEXTS = new Set(['title', 'description']);
const VALUES = new Set(['enum', 'const', 'default']);

type Compare = (before: unknown, after: unknown, at: string, findings: Findings) => void;

/** One form of a value. */
interface Form {
  readonly at: string;
  /** Takes all that the form takes, and may take more. */
  readonly most: JsonObject;
  /** What takes the value takes all of these: together they are the form. */
  readonly all: readonly JsonObject[];
}

/**
 * A form is taken where one of the forms by now takes all that it took. Where none does, and there are as many as before, the
 * differences are those from the form in its place.
 */
export function compareAlternatives(
  before: JsonObject,
  after: JsonObject,
  at: string,
  findings: Findings,
  compare: Compare,
): void {
  compareDefaults(before, after, at, findings);
  const [was, is] = [formsOf(before, at), formsOf(after, at)];
  const meanings = is.map(({ all }) => meaning(all));
  const used = new Set<number>();
  for (const [i, form] of was.entries()) {
    const same = meanings.indexOf(meaning(form.all));
    if (same >= 0) {
      used.add(same);
      continue;
    }
    const order = [...is.keys()].sort((one, other) => Number(other === i) - Number(one === i) || one - other);
    const taken = order
      .map((j) => [j, tried(form, is[j], findings, compare)] as const)
      .find(([, trial]) => trial !== undefined && !trial.breaking);
    const beside = was.length === is.length ? is[i] : undefined;
    const [j, trial] = taken ?? (beside === undefined ? [] : [i, tried(form, beside, findings, compare)]);
    if (j === undefined || trial === undefined) {
      findings.add('alternative-removed', form.at, 'one of its forms is no longer taken');
    } else {
      used.add(j);
      findings.take(trial);
    }
  }
  // A form that stands there twice is one.
  const found = new Set([...used].map((j) => meanings[j]));
  for (const [j, form] of is.entries()) {
    if (!used.has(j) && !found.has(meanings[j])) findings.add('alternative-added', form.at, 'it takes one more form');
  }
}

function tried(before: Form, after: Form | undefined, findings: Findings, compare: Compare): Findings | undefined {
  if (after === undefined) return undefined;
  const trial = findings.trial();
  for (const one of after.all) compare(before.most, one, after.at, trial);
  return trial;
}

function formsOf(schema: JsonObject, at: string): readonly Form[] {
  const { anyOf, default: _besides, ...base } = schema;
  if (Array.isArray(anyOf) && anyOf.length > 0) {
    return anyOf.flatMap((branch: unknown, i) => {
      if (branch === false) return [];
      return [formOf(base, isObject(branch) ? branch : {}, `${at}/anyOf/${i}`)];
    });
  }
  const types = declaredTypes(base);
  const nodes = own(base, 'type') !== undefined && types.length > 1 ? types.map((type) => ({ ...base, type })) : [base];
  return nodes.map((node) => ({ at, most: node, all: [node] }));
}

/** A branch, with what is said beside all of them. */
function formOf(base: JsonObject, branch: JsonObject, at: string): Form {
  const most: Record<string, unknown> = { ...base, ...branch };
  const [was, is] = [own(base, 'properties'), own(branch, 'properties')];
  if (isObject(was) && isObject(is)) most.properties = { ...was, ...is };
  const [needed, needs] = [own(base, 'required'), own(branch, 'required')];
  if (Array.isArray(needed) && Array.isArray(needs)) most.required = [...new Set([...needed, ...needs])];
  return { at, most, all: isExact(base, branch) ? [most] : [base, branch] };
}

/** Whether a branch laid over its base says just what both say. */
function isExact(base: JsonObject, branch: JsonObject): boolean {
  const closes = [base, branch].some((schema) => own(schema, 'additionalProperties') !== undefined);
  if (closes && [base, branch].every((schema) => schema.properties ?? schema.additionalProperties)) return false;
  return Object.keys(branch).every((keyword) => {
    if (!Object.hasOwn(base, keyword) || keyword === 'required' || TEXTS.has(keyword)) return true;
    const [one, other] = [base[keyword], branch[keyword]];
    if (canonical(one) === canonical(other)) return true;
    if (keyword !== 'properties' || !isObject(one) || !isObject(other)) return false;
    return Object.keys(other).every((name) => !Object.hasOwn(one, name));
  });
}

/** What schemas say, their texts aside, as one text. */
function meaning(schemas: readonly JsonObject[]): string {
  return canonical(bare(schemas));
}

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key, part]) => typeof part !== 'string' || !TEXTS.has(key));
  // In a value every text counts.
  return Object.fromEntries(kept.map(([key, part]) => [key, VALUES.has(key) ? part : bare(part)]));
}
