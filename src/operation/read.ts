// The stages of this room: a description to its survey, an operation's head to the operation.
import type { Budget } from '../base/budget.js';
import type { Limits } from '../base/limits.js';
import { Texts } from '../base/plain.js';
import type { Profile } from '../base/profile.js';
import type { ApiDocument } from '../document/document.js';
import { Lookup } from '../document/lookup.js';
import { readDiscovery } from './discovery/read.js';
import { surveyDiscovery } from './discovery/survey.js';
import { OpenApiReader } from './openapi/read.js';
import { surveyOpenApi } from './openapi/survey.js';
import type { Head, Operation, Survey } from './operation.js';
import { BodyReader } from './schema/body.js';
import { DISCOVERY, type Dialect, JSON_SCHEMA_2020, OPENAPI_30, SWAGGER } from './schema/dialect.js';
import { SchemaReader } from './schema/reader.js';
import { Walk } from './schema/walk.js';
import { SwaggerReader } from './swagger/read.js';
import { surveySwagger } from './swagger/survey.js';

/** By what rules and within what bounds a description is read. */
export interface Terms {
  readonly limits: Limits;
  readonly profile: Profile;
  readonly budget: Budget;
}

/** What reading one description needs and remembers. */
export interface Reading extends Terms {
  readonly document: ApiDocument;
  readonly texts: Texts;
  readonly lookup: Lookup;
  readonly walk: Walk;
  readonly schemas: SchemaReader;
  readonly bodies: BodyReader;
  /** Reads one operation of this kind of description. */
  readonly read: (head: Head) => Operation;
  /** What is shown of an operation where that is less than the limits allow. */
  readonly less?: Less;
}

/** An operation shown smaller. */
interface Less {
  /** Levels that are shown. */
  readonly nesting: number;
  /** Whether optional arguments, and optional properties in them, are shown. */
  readonly optional: boolean;
}

const SURVEYS = { openapi: surveyOpenApi, swagger: surveySwagger, discovery: surveyDiscovery };

/** Starts the reading of one description. */
export function startReading(document: ApiDocument, terms: Terms): Reading {
  const { limits, budget } = terms;
  const dialect = dialectOf(document);
  const texts = new Texts();
  const lookup = new Lookup(document, budget, limits.reference_chain, dialect.identifiers);
  const walk = new Walk(lookup, budget, dialect);
  const schemas = new SchemaReader(walk, limits, texts);
  const read = readerOf(document, lookup, terms);
  return { ...terms, document, texts, lookup, walk, schemas, bodies: new BodyReader(schemas), read };
}

/** The reading of an operation that is shown smaller. */
export type SmallerReading = Reading & { readonly less: Less };

/** The same reading of less and less: fewer levels, then required arguments alone. */
export function* smaller(reading: Reading): Generator<SmallerReading> {
  for (let nesting = reading.limits.nesting - 1; nesting >= 1; nesting -= 1)
    yield shrunk(reading, { nesting, optional: true });
  yield shrunk(reading, { nesting: 1, optional: false });
}

/** Readings of less, by what they show: what one remembers serves every operation. */
const known = new WeakMap<Reading, Map<string, SmallerReading>>();

function shrunk(reading: Reading, less: Less): SmallerReading {
  const readings = known.get(reading) ?? new Map<string, SmallerReading>();
  known.set(reading, readings);
  const key = `${less.nesting} ${less.optional}`;
  let found = readings.get(key);
  if (found === undefined) {
    const { optional_properties } = reading.limits;
    const limits = {
      ...reading.limits,
      nesting: less.nesting,
      optional_properties: less.optional ? optional_properties : 0,
    };
    const schemas = new SchemaReader(reading.walk, limits, reading.texts);
    found = { ...reading, limits, schemas, bodies: new BodyReader(schemas), less };
    readings.set(key, found);
  }
  return found;
}

/** The language of the schemas of a description. */
export function dialectOf({ kind, version }: ApiDocument): Dialect {
  if (kind === 'openapi') return /^3\.0(?:\.|$)/.test(version) ? OPENAPI_30 : JSON_SCHEMA_2020;
  return kind === 'swagger' ? SWAGGER : DISCOVERY;
}

function readerOf({ kind, version }: ApiDocument, lookup: Lookup, terms: Terms): Reading['read'] {
  const { budget } = terms;
  if (kind === 'discovery') return (head) => readDiscovery(head, lookup, budget);
  const reader = kind === 'swagger' ? new SwaggerReader(lookup, budget) : new OpenApiReader(lookup, terms, version);
  return (head) => reader.read(head);
}

/**
 * Everything but what the operations hold inside.
 * @throws Failure `too-many-operations`, `description-too-large`.
 */
export function survey({ document, lookup, budget, limits }: Reading): Survey {
  return SURVEYS[document.kind](document, lookup, budget, limits);
}

/**
 * One operation. Its steps count from here on, those of its schemas included.
 * @throws Refused with the reason why it cannot be read, Failure `description-too-large`.
 */
export function readOperation(head: Head, { budget, walk, read, less }: Reading): Operation {
  budget.begin(head.place.at);
  if (less !== undefined) budget.lift();
  walk.begin(head.identifier ?? '', head.place.at);
  return read(head);
}
