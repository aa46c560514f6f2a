// The JSON Schema of a manifest, for editors: the shapes written in another language.
import { MANIFEST } from './keys.js';
import type { RecordShape, Rule, Shape } from './shape.js';

type Json = { readonly [key: string]: unknown };

/** The JSON Schema 2020-12 that accepts what the reader accepts, but for what one part of a manifest says of another. */
export function manifestSchema(): Json {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'toolwright.yaml',
    ...schemaOf(MANIFEST),
  };
}

function schemaOf(shape: Shape): Json {
  const { about: description } = shape;
  switch (shape.kind) {
    case 'any':
      return { description };
    case 'text':
      return { description, type: 'string', pattern: shape.pattern };
    case 'flag':
      return { description, type: 'boolean' };
    case 'choice':
      return { description, enum: shape.values };
    case 'whole': {
      const most = shape.most < Number.MAX_SAFE_INTEGER ? { maximum: shape.most } : {};
      return { description, type: 'integer', minimum: shape.least, ...most };
    }
    case 'list':
      return { description, type: 'array', minItems: 1, items: schemaOf(shape.items) };
    case 'map': {
      const least = shape.least === undefined ? {} : { minProperties: shape.least };
      return { description, type: 'object', ...least, additionalProperties: schemaOf(shape.values) };
    }
    case 'record':
      return recordSchema(shape);
  }
}

function recordSchema({ about, fields, required = [], rules = [] }: RecordShape): Json {
  return {
    description: about,
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, schemaOf(shape)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    ...(rules.length === 0 ? {} : { allOf: rules.map(ruleSchema) }),
  };
}

function ruleSchema(rule: Rule): Json {
  if (rule.kind === 'apart') return { not: { required: rule.fields } };
  if (rule.kind === 'some') return { anyOf: rule.fields.map((field) => ({ required: [field] })) };
  const is = {
    properties: { [rule.field]: { const: rule.is } },
    ...(rule.byDefault ? {} : { required: [rule.field] }),
  };
  const refuses = rule.refuses.map((field) => [field, false] as const);
  return {
    if: is,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: {
      ...(rule.needs.length === 0 ? {} : { required: rule.needs }),
      ...(refuses.length === 0 ? {} : { properties: Object.fromEntries(refuses) }),
    },
  };
}
