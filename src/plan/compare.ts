// Two owned forms of a tool, compared for those who call it: every difference, with its class.
import { canonical } from '../base/canonical.js';
import { isObject, type JsonObject, own } from '../base/json.js';
import { under } from '../base/pointer.js';
import { quoted } from '../base/text.js';
import type { HttpTool, OwnedForm } from '../tool/tool.js';
import { Findings, TooManySteps } from './findings.js';
import { ownedForm } from './owned.js';
import type { Difference } from './plan.js';
import { compareSchemas } from './schema.js';
import { compareTexts } from './texts.js';

/** The differences, breaking or not; at least one where the forms differ. docs/differences.md has the rules. */
export function compareForms(before: OwnedForm, after: OwnedForm): readonly Difference[] {
  const findings = new Findings();
  compareRequests(before, after, findings);
  within('/input_schema', findings, (trial) => {
    compareSchemas(before.input_schema, after.input_schema, '/input_schema', trial);
  });
  if (canonical(before.output_schema) !== canonical(after.output_schema)) {
    findings.add('output-changed', '/output_schema', 'the schema of its answer changed');
  }
  // Of the steps of another comparison, so that a large schema hides no text.
  const texts = new Findings();
  within('', texts, (trial) => compareTexts(textsOf(before), textsOf(after), '', trial));
  findings.take(texts);
  if (findings.differences.length === 0 && canonical(before) !== canonical(after)) {
    findings.add('rewritten', placeOf(before, after), 'it is written otherwise, and takes the same values');
  }
  return findings.differences;
}

/** How a form differs from a tool for those who call it: a value that a person fixed need not be given, whoever requires it. */
export function compareTool(tool: HttpTool, form: OwnedForm): readonly Difference[] {
  const fixed = new Set(Object.keys(tool.fixed_parameters).map((name) => under('/input_schema/properties', name)));
  return compareForms(ownedForm(tool), form).filter(({ code, at }) => code !== 'argument-required' || !fixed.has(at));
}

/** What was found before the steps were spent stands. */
function within(at: string, findings: Findings, compare: (findings: Findings) => void): void {
  const trial = findings.trial();
  try {
    compare(trial);
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    trial.add('not-compared', at, 'it is too large to be compared');
  }
  findings.take(trial);
}

function textsOf({ description, input_schema, output_schema = {} }: OwnedForm): JsonObject {
  return { description, input_schema, output_schema };
}

function placeOf(before: OwnedForm, after: OwnedForm): string {
  if (canonical(before.input_schema) !== canonical(after.input_schema)) return '/input_schema';
  return canonical(before.body) !== canonical(after.body) ? '/config/body' : '/config/locations';
}

function compareRequests(before: OwnedForm, after: OwnedForm, findings: Findings): void {
  if (before.endpoint !== after.endpoint) {
    findings.add('endpoint-changed', '/config/endpoint', endpoints(before.endpoint, after.endpoint));
  }
  if (before.method !== after.method) {
    findings.add('method-changed', '/config/method', `it is ${quoted(after.method)}, and was ${quoted(before.method)}`);
  }
  comparePlaces(before, after, findings);
  compareBodies(before, after, findings);
}

/** A query may hold what is nobody's to read, so it is not shown. */
function endpoints(before: string, after: string): string {
  const [was, is] = [before.replace(/\?.*$/s, ''), after.replace(/\?.*$/s, '')];
  if (was === is) return 'the query that is written into its URL changed';
  return `it calls ${quoted(is, 200)}, and called ${quoted(was, 200)}`;
}

/** Where the arguments go that both have; one that came or went is told by the schemas. */
function comparePlaces(before: OwnedForm, after: OwnedForm, findings: Findings): void {
  const known = argumentsOf(before);
  for (const name of argumentsOf(after)) {
    if (!known.has(name)) continue;
    const [was, is] = [placeIn(before, name), placeIn(after, name)];
    if (canonical(was) === canonical(is)) continue;
    const how =
      was.in === is.in ? `is sent in another way in the ${is.in}` : `is sent in the ${is.in}, and was in the ${was.in}`;
    findings.add('place-moved', under('/config/locations', name), `${quoted(name)} ${how}`);
  }
}

function argumentsOf({ input_schema: { properties } }: OwnedForm): ReadonlySet<string> {
  return new Set(isObject(properties) ? Object.keys(properties) : []);
}

/** The place of an argument in its long form; a plain gap has no location. */
function placeIn({ locations }: OwnedForm, argument: string): { readonly in: string; readonly name: string } {
  const place = Object.hasOwn(locations, argument) ? locations[argument] : undefined;
  if (place === undefined || typeof place === 'string') return { in: place ?? 'path', name: argument };
  return { name: argument, ...place };
}

function compareBodies(before: OwnedForm, after: OwnedForm, findings: Findings): void {
  const at = '/config/body';
  const [was, is] = [before.body, after.body];
  if (was === undefined || is === undefined) {
    if (was !== is) {
      findings.add('body-presence-changed', at, is === undefined ? 'it has no body any more' : 'it has a body now');
    }
    return;
  }
  if (was.content_type !== is.content_type) {
    const told = `its body is ${quoted(is.content_type)}, and was ${quoted(was.content_type)}`;
    findings.add('body-changed', `${at}/content_type`, told);
  }
  if (was.whole !== is.whole) findings.add('body-changed', `${at}/whole`, 'another argument is its whole body');
  if (was.required !== is.required) {
    const told = is.required ? 'its body is always sent now' : 'its body is only sent where an argument is in it';
    findings.add('body-presence-changed', `${at}/required`, told);
  }
  const [known, encoded, encodes] = [sentIn(before), was.encoding ?? {}, is.encoding ?? {}];
  for (const name of sentIn(after)) {
    if (!known.has(name) || canonical(own(encoded, name)) === canonical(own(encodes, name))) continue;
    findings.add('body-changed', under(`${at}/encoding`, name), `${quoted(name)} is written in another way`);
  }
}

/** The names on the wire of what goes into the body. */
function sentIn(form: OwnedForm): ReadonlySet<string> {
  const places = [...argumentsOf(form)].map((name) => placeIn(form, name));
  return new Set(places.filter((place) => place.in === 'body').map(({ name }) => name));
}
