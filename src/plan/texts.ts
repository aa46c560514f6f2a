// The texts of two forms that the model reads: whoever writes them speaks to it, so each that is new is told.
import { canonical } from '../base/canonical.js';
import { isObject, type JsonObject, own } from '../base/json.js';
import { under } from '../base/pointer.js';
import { quoted } from '../base/text.js';
import type { Findings } from './findings.js';

const TEXTS = new Set(['title', 'description']);
const SHOWN = 200;

/**
 * Tells descriptions and titles that read otherwise, and what is new and brings text: a description, a title, or any other string
 * with white space in it, which a name or a value may be as well.
 * @throws TooManySteps
 */
export function compareTexts(before: JsonObject, after: JsonObject, at: string, findings: Findings): void {
  findings.spend();
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is, place] = [own(before, key), own(after, key), under(at, key)];
    if (TEXTS.has(key) && (typeof was === 'string' || typeof is === 'string')) {
      if (was !== is) findings.add('text-changed', place, reads(is));
    } else if (was === undefined) tellNew([key, is], place, findings);
    else if (isObject(was) && isObject(is)) compareTexts(was, is, place, findings);
    else if (Array.isArray(was) && Array.isArray(is)) compareLists(was, is, place, findings);
    else if (was !== is) tellNew(is, place, findings);
  }
}

function reads(text: unknown): string {
  return typeof text === 'string' ? `it reads ${quoted(text, SHOWN)}` : 'its text is gone';
}

/** What only moved in a list is not new. */
function compareLists(before: readonly unknown[], after: readonly unknown[], at: string, findings: Findings): void {
  const known = new Set(before.map(canonical));
  for (const [i, is] of after.entries()) {
    if (known.has(canonical(is))) continue;
    const was = before[i];
    if (isObject(was) && isObject(is)) compareTexts(was, is, under(at, i), findings);
    else tellNew(is, under(at, i), findings);
  }
}

function tellNew(value: unknown, at: string, findings: Findings): void {
  const text = firstText(value);
  if (text !== undefined) findings.add('text-added', at, `it brings the text ${quoted(text, SHOWN)}`);
}

function firstText(value: unknown): string | undefined {
  if (typeof value === 'string') return /\s/.test(value) ? value : undefined;
  if (Array.isArray(value)) return first(value, firstText);
  if (!isObject(value)) return undefined;
  return first(Object.entries(value), ([key, part]) => {
    if (TEXTS.has(key) && typeof part === 'string') return part;
    return firstText(key) ?? firstText(part);
  });
}

function first<T>(list: readonly T[], find: (one: T) => string | undefined): string | undefined {
  for (const one of list) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
