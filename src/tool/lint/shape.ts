// What lint says of tools by what they are: their names, their descriptions, the size of their arguments.
import type { LintCode } from '../../base/codes.js';
import { isObject, own } from '../../base/json.js';
import { count, quoted } from '../../base/text.js';
import type { Finding, Subject } from './finding.js';

const MOST_OPTIONAL = 60;
const MOST_VALUES = 250;
const MOST_DEPTH = 100;

/** Rules that need all tools that a model is shown together. */
export function lintTogether(subjects: readonly Subject[]): readonly Finding[] {
  return [
    ...alike(subjects, 'near-name', ({ name }) => plainName(name), 'nearly the same name as'),
    ...alike(subjects, 'equal-description', descriptionOf, 'the same description as'),
  ];
}

/** Rules that need one tool. */
export function lintShape(subject: Subject): readonly Finding[] {
  const { description, input_schema, at } = subject;
  const found: Finding[] = [];
  const note = (code: LintCode, message: string) =>
    found.push({ code, severity: 'warn', at, tool: subject.name, message });
  if (isRoute(description)) note('no-description', `nothing is said of it but ${quoted(description, 80)}`);
  const optional = optionalOf(input_schema);
  if (optional >= MOST_OPTIONAL)
    note('many-optional', `it has ${count(optional)} optional arguments; a model leaves out or invents some`);
  for (const { path, values } of enumsIn(input_schema, '', 0))
    note('large-enum', `${quoted(path, 120)} has an enum of ${count(values)} values`);
  return found;
}

/** Tools that come to the same text, each named with the first other one. */
function alike(
  subjects: readonly Subject[],
  code: LintCode,
  text: (subject: Subject) => string,
  how: string,
): readonly Finding[] {
  const groups = new Map<string, Subject[]>();
  for (const subject of subjects) {
    const key = text(subject);
    if (key === '') continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [subject]);
    else group.push(subject);
  }
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .flatMap((group) =>
      group.map((subject, index): Finding => {
        const other = group[index === 0 ? 1 : 0]?.name ?? '';
        const more = group.length > 2 ? ` and ${count(group.length - 2)} more` : '';
        const message = `it has ${how} ${quoted(other, 80)}${more}`;
        return { code, severity: 'warn', at: subject.at, tool: subject.name, message };
      }),
    );
}

/** A name without what a model easily mistakes: case, separators, a number that was put behind, a plural. */
function plainName(name: string): string {
  return name
    .replace(/_\d+$/, '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
    .join('');
}

function descriptionOf({ description }: Subject): string {
  return isRoute(description) ? '' : description.toLowerCase().replace(/\W+/g, ' ').trim();
}

/** `GET /things/{id}`, or nothing. */
function isRoute(description: string): boolean {
  return /^(?:[A-Z]+ \/\S*)?$/.test(description.trim());
}

function optionalOf(schema: Subject['input_schema']): number {
  const [properties, required] = [own(schema, 'properties'), own(schema, 'required')];
  const all = isObject(properties) ? Object.keys(properties) : [];
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return all.filter((name) => !needed.has(name)).length;
}

function* enumsIn(node: unknown, path: string, depth: number): Generator<{ path: string; values: number }> {
  if (!isObject(node) || depth > MOST_DEPTH) return;
  const values = own(node, 'enum');
  if (Array.isArray(values) && values.length > MOST_VALUES) yield { path, values: values.length };
  const properties = own(node, 'properties');
  if (isObject(properties)) {
    for (const [name, part] of Object.entries(properties))
      yield* enumsIn(part, path === '' ? name : `${path}.${name}`, depth + 1);
  }
  yield* enumsIn(own(node, 'items'), `${path}[]`, depth + 1);
  const branches = own(node, 'anyOf');
  if (Array.isArray(branches)) for (const branch of branches) yield* enumsIn(branch, path, depth + 1);
}
