// Two schemas of which one at least has alternatives: each form that was taken has to be one that still is.
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
  const [was, is] = [formsOf(before, at, findings), formsOf(after, at, findings)];
  const meanings = is.map(({ all }) => meaning(all, findings));
  const used = new Set<number>();
  for (const [i, form] of was.entries()) {
    const same = meanings.indexOf(meaning(form.all, findings));
    if (same >= 0) {
      used.add(same);
      continue;
    }
    const found = taking(form, i, is, findings, compare);
    // In a list of another length what stands in its place is another form.
    if (found === undefined || (found.trial.breaking && was.length !== is.length)) {
      findings.add('alternative-removed', form.at, 'one of its forms is no longer taken');
    } else {
      used.add(found.j);
      findings.take(found.trial);
    }
  }
  // A form that stands there twice is one.
  const found = new Set([...used].map((j) => meanings[j]));
  for (const [j, form] of is.entries()) {
    if (!used.has(j) && !found.has(meanings[j])) findings.add('alternative-added', form.at, 'it takes one more form');
  }
}

/** The form that takes all of this one: that in its place, or the first other; else that in its place, where it is tried. */
function taking(
  form: Form,
  place: number,
  forms: readonly Form[],
  findings: Findings,
  compare: Compare,
): { readonly j: number; readonly trial: Findings } | undefined {
  const tried = ({ at, all }: Form): Findings => {
    const trial = findings.trial();
    for (const one of all) compare(form.most, one, at, trial);
    return trial;
  };
  const beside = forms[place];
  const first = beside && { j: place, trial: tried(beside) };
  if (first?.trial.breaking === false) return first;
  for (const [j, other] of forms.entries()) {
    if (j === place) continue;
    const trial = tried(other);
    if (!trial.breaking) return { j, trial };
  }
  return first;
}

function formsOf(schema: JsonObject, at: string, findings: Findings): readonly Form[] {
  const { anyOf, default: _besides, ...base } = schema;
  if (Array.isArray(anyOf) && anyOf.length > 0) {
    return anyOf.flatMap((branch: unknown, i) => {
      if (branch === false) return [];
      return [formOf(base, isObject(branch) ? branch : {}, `${at}/anyOf/${i}`, findings)];
    });
  }
  const types = declaredTypes(base);
  const nodes = own(base, 'type') !== undefined && types.length > 1 ? types.map((type) => ({ ...base, type })) : [base];
  return nodes.map((node) => ({ at, most: node, all: [node] }));
}

/** A branch, with what is said beside all of them. */
function formOf(base: JsonObject, branch: JsonObject, at: string, findings: Findings): Form {
  const most: Record<string, unknown> = { ...base, ...branch };
  const [was, is] = [own(base, 'properties'), own(branch, 'properties')];
  if (isObject(was) && isObject(is)) most.properties = { ...was, ...is };
  const [needed, needs] = [own(base, 'required'), own(branch, 'required')];
  if (Array.isArray(needed) && Array.isArray(needs)) most.required = [...new Set([...needed, ...needs])];
  return { at, most, all: isExact(base, branch, findings) ? [most] : [base, branch] };
}

/** Whether a branch laid over its base says just what both say. */
function isExact(base: JsonObject, branch: JsonObject, findings: Findings): boolean {
  const closes = [base, branch].some((schema) => own(schema, 'additionalProperties') !== undefined);
  if (closes && [base, branch].every((schema) => schema.properties ?? schema.additionalProperties)) return false;
  return Object.keys(branch).every((keyword) => {
    if (!Object.hasOwn(base, keyword) || keyword === 'required' || TEXTS.has(keyword)) return true;
    const [one, other] = [base[keyword], branch[keyword]];
    if (findings.text(one) === findings.text(other)) return true;
    if (keyword !== 'properties' || !isObject(one) || !isObject(other)) return false;
    return Object.keys(other).every((name) => !Object.hasOwn(one, name));
  });
}

/** What schemas say, their texts aside, as one text. */
function meaning(schemas: readonly JsonObject[], findings: Findings): string {
  return findings.text(bare(schemas));
}

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key, part]) => typeof part !== 'string' || !TEXTS.has(key));
  // In a value every text counts.
  return Object.fromEntries(kept.map(([key, part]) => [key, VALUES.has(key) ? part : bare(part)]));
}
