// Two schemas of one value, for those who send it: whether each value that was taken still is. What is not proved is breaking.
import { canonical } from '../base/canonical.js';
import { isObject, type JsonObject, own } from '../base/json.js';
import { under } from '../base/pointer.js';
import { quoted } from '../base/text.js';
import { compareAlternatives } from './alternatives.js';
import type { Findings } from './findings.js';
import { compareBounds, compareDefaults, compareFormats, compareListed, compareTypes } from './values.js';

/** Keywords that are looked at here, and those that say nothing of what is taken. */
const KNOWN = new Set(
  `type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems
  uniqueItems format default properties required additionalProperties items prefixItems anyOf title description`.split(
    /\s+/,
  ),
);

/** @throws TooManySteps */
export function compareSchemas(before: unknown, after: unknown, at: string, findings: Findings): void {
  findings.spend();
  // What took nothing can lose nothing.
  if (before === false) return;
  if (after === false) {
    findings.add('type-narrowed', at, 'it takes no value');
    return;
  }
  const [was, is] = [nodeOf(before), nodeOf(after)];
  // What takes any value has items and entries of any value, and so on without end.
  if (was !== undefined && is !== undefined && Object.keys({ ...was, ...is }).length === 0) return;
  if (was === undefined || is === undefined) {
    if (canonical(before) !== canonical(after))
      findings.add('schema-changed', at, 'it is no schema that is understood');
  } else if (was.anyOf !== undefined || is.anyOf !== undefined)
    compareAlternatives(was, is, at, findings, compareSchemas);
  else compareNodes(was, is, at, findings);
}

function nodeOf(schema: unknown): JsonObject | undefined {
  if (schema === true || schema === undefined) return {};
  return isObject(schema) ? schema : undefined;
}

function compareNodes(before: JsonObject, after: JsonObject, at: string, findings: Findings): void {
  compareUnknown(before, after, at, findings);
  compareDefaults(before, after, at, findings);
  const taken = compareTypes(before, after, at, findings);
  if (taken.length === 0) return;
  compareListed(before, after, at, findings);
  compareBounds(taken, before, after, at, findings);
  compareFormats(before, after, at, findings);
  if (taken.includes('object')) compareObjects(before, after, at, findings);
  if (taken.includes('array')) compareArrays(before, after, at, findings);
}

function compareUnknown(before: JsonObject, after: JsonObject, at: string, findings: Findings): void {
  for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (KNOWN.has(keyword) || findings.text(own(before, keyword)) === findings.text(own(after, keyword))) continue;
    findings.add(
      'schema-changed',
      under(at, keyword),
      `${quoted(keyword)} changed, and it is not known what that means`,
    );
  }
}

/** What an object takes beside its properties: undefined where it has properties and says nothing, so that nobody sends more. */
function entriesOf(schema: JsonObject): unknown {
  const entries = own(schema, 'additionalProperties');
  if (entries !== undefined) return entries;
  return Object.keys(propertiesOf(schema)).length === 0 ? true : undefined;
}

function propertiesOf(schema: JsonObject): JsonObject {
  const properties = own(schema, 'properties');
  return isObject(properties) ? properties : {};
}

function requiredOf(schema: JsonObject): ReadonlySet<unknown> {
  const required = own(schema, 'required');
  return new Set(Array.isArray(required) ? required : []);
}

function compareObjects(before: JsonObject, after: JsonObject, at: string, findings: Findings): void {
  const [was, is] = [propertiesOf(before), propertiesOf(after)];
  const [needed, needs] = [requiredOf(before), requiredOf(after)];
  const entries = entriesOf(before);
  for (const [name, schema] of Object.entries(was)) {
    const place = under(`${at}/properties`, name);
    if (!Object.hasOwn(is, name)) compareGone(name, schema, entriesOf(after), place, findings);
    else compareSchemas(schema, is[name], place, findings);
  }
  for (const [name, schema] of Object.entries(is)) {
    if (Object.hasOwn(was, name)) continue;
    const place = under(`${at}/properties`, name);
    if (!needs.has(name)) findings.add('argument-added', place, `${quoted(name)} may be given`);
    // Free-form entries may bear its name.
    if (entries !== undefined && entries !== false) compareSchemas(entries, schema, place, findings);
  }
  for (const name of needs) {
    if (typeof name !== 'string' || needed.has(name)) continue;
    const place = Object.hasOwn(is, name) ? under(`${at}/properties`, name) : `${at}/required`;
    const how = Object.hasOwn(was, name) ? 'has to be given now' : 'is new and has to be given';
    findings.add('argument-required', place, `${quoted(name)} ${how}`);
  }
  for (const name of needed) {
    if (typeof name !== 'string' || needs.has(name) || !Object.hasOwn(is, name)) continue;
    findings.add('argument-optional', under(`${at}/properties`, name), `${quoted(name)} may be left out`);
  }
  compareEntries(entries, entriesOf(after), at, findings);
}

/** A property that is no longer named may still be taken as a free-form entry. */
function compareGone(name: string, schema: unknown, entries: unknown, at: string, findings: Findings): void {
  if (schema === false) return;
  const trial = findings.trial();
  if (entries !== undefined && entries !== false) compareSchemas(schema, entries, at, trial);
  if (entries === undefined || entries === false || trial.breaking) {
    findings.add('argument-removed', at, `${quoted(name)} is no longer taken`);
  }
}

function compareEntries(before: unknown, after: unknown, at: string, findings: Findings): void {
  const place = `${at}/additionalProperties`;
  if (before === undefined || before === false) {
    const opens = before === false ? after !== false : after !== undefined && after !== false;
    if (opens) findings.add('entries-widened', place, 'it takes entries beside those it names');
  } else if (after === false) findings.add('entries-narrowed', place, 'it takes no entries beside those it names');
  else if (after !== undefined) compareSchemas(before, after, place, findings);
}

function compareArrays(before: JsonObject, after: JsonObject, at: string, findings: Findings): void {
  const tuple = (schema: JsonObject): readonly unknown[] => {
    const list = own(schema, 'prefixItems');
    return Array.isArray(list) ? list : [];
  };
  const [was, is] = [tuple(before), tuple(after)];
  const [rest, now] = [own(before, 'items') ?? true, own(after, 'items') ?? true];
  for (let i = 0; i < Math.max(was.length, is.length); i += 1) {
    compareSchemas(was[i] ?? rest, is[i] ?? now, `${at}/prefixItems/${i}`, findings);
  }
  compareSchemas(rest, now, `${at}/items`, findings);
}
