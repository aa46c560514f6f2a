// Gemini function declarations: the keywords of its Schema type alone, one type each, null as a keyword of its own.
import { count } from '../../base/text.js';
import { UniqueNames } from '../name.js';
import type { Schema } from '../tool.js';
import { headOf } from './head.js';
import { restoredArguments } from './inverse.js';
import { type Rules, sentences, type Texts } from './narrow.js';
import { isPlainPattern } from './pattern.js';
import type { Dialect, Rendering, ShownTool } from './rendering.js';
import { narrowed } from './root.js';

const HEAD = { illegal: /[^A-Za-z0-9_.:-]/, start: /^[A-Za-z_]/, name_chars: 64 };
const KEY = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const KEY_CHARS = 64;
const TOOLS = { fewest: 64, most: 128 };
const LEVELS = 64;

const FORMATS: { readonly [type: string]: readonly string[] } = {
  string: ['date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};
const KEPT: { readonly [type: string]: readonly string[] } = {
  string: ['minLength', 'maxLength', 'default'],
  number: ['minimum', 'maximum', 'default'],
  integer: ['minimum', 'maximum', 'default'],
  boolean: ['default'],
  array: ['minItems', 'maxItems'],
  object: ['minProperties', 'maxProperties'],
};
/** The type that the value of a keyword has; a number otherwise. */
const DEFAULTS: { readonly [type: string]: string } = { string: 'string', boolean: 'boolean' };

const RULES: Rules = {
  keeps(type, keyword, value) {
    if (keyword === 'pattern') return isPlainPattern(value);
    if (keyword === 'format') return typeof value === 'string' && (FORMATS[type] ?? []).includes(value);
    const expected = keyword === 'default' ? (DEFAULTS[type] ?? 'number') : 'number';
    return (KEPT[type] ?? []).includes(keyword) && typeof value === expected;
  },
  lists: (values, type) => type === 'string' && values.every((value) => value !== ''),
  keys,
  levels: LEVELS,
  everyRequired: false,
  closed: false,
  object: (properties, required) => ({ type: 'object', properties, ...(required.length > 0 ? { required } : {}) }),
  union,
};

export const gemini: Dialect = { render, warn };

function render(tool: ShownTool): Rendering {
  const { name, description, changes: head } = headOf(tool, HEAD);
  const { schema, changes, inverse } = narrowed(tool.input_schema, RULES);
  // An object without properties is refused: without arguments there are no parameters.
  const parameters = Object.keys(schema.properties as object).length > 0 ? { parameters: schema } : {};
  return {
    tool: { name, description, ...parameters },
    changes: [...head, ...changes],
    arguments: (given) => restoredArguments(inverse, given),
  };
}

/** Names that are legal stay; the others are cleaned and, where that is taken, numbered. */
function keys(names: readonly string[]): readonly string[] {
  if (names.every((name) => KEY.test(name))) return names;
  const unique = new UniqueNames(
    KEY_CHARS,
    names.filter((name) => KEY.test(name)),
  );
  return names.map((name) => {
    if (KEY.test(name)) return name;
    const clean = name.replace(/[^A-Za-z0-9_]/g, '_');
    return unique.claim(/^[A-Za-z_]/.test(clean) ? clean : `_${clean}`);
  });
}

/** Nothing stands beside anyOf: what is said of the whole is said in its first alternative. */
function union(branches: readonly Schema[], nullable: boolean, about: Texts): Schema {
  const [first = { type: 'string', description: 'Always null.' }, ...others] = branches;
  const description = sentences(about.description, first.description);
  const whole = {
    ...first,
    ...about,
    ...(description === '' ? {} : { description }),
    ...(nullable ? { nullable } : {}),
  };
  return others.length === 0 ? whole : { anyOf: [whole, ...others] };
}

function warn(tools: readonly Rendering[]): readonly string[] {
  const number = count(tools.length);
  if (tools.length > TOOLS.most)
    return [`Gemini takes at most ${TOOLS.most} tools in one request; these are ${number}`];
  return tools.length > TOOLS.fewest
    ? [`some Gemini endpoints take at most ${TOOLS.fewest} tools in one request; these are ${number}`]
    : [];
}
