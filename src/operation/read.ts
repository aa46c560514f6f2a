// The stages of this room: a description to its survey, an operation's head to the operation.
import type { Budget } from '../base/budget.js';
import type { Limits } from '../base/limits.js';
import type { Profile } from '../base/profile.js';
import { Texts } from '../base/text.js';
import type { ApiDocument } from '../document/document.js';
import { Lookup } from '../document/lookup.js';
import { readDiscovery } from './discovery/read.js';
import { surveyDiscovery } from './discovery/survey.js';
import { OpenApiReader } from './openapi/read.js';
import { surveyOpenApi } from './openapi/survey.js';
import type { Head, Operation, Survey } from './operation.js';
import { BodyReader } from './schema/body.js';
import { DISCOVERY, JSON_SCHEMA_2020, OPENAPI_30 } from './schema/dialect.js';
import { SchemaReader } from './schema/reader.js';
import { Walk } from './schema/walk.js';

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
}

/** Starts the reading of one description. */
export function startReading(document: ApiDocument, terms: Terms): Reading {
  const { limits, budget } = terms;
  const old = document.kind === 'openapi' && /^3\.0(?:\.|$)/.test(document.version);
  const dialect = document.kind === 'discovery' ? DISCOVERY : old ? OPENAPI_30 : JSON_SCHEMA_2020;
  const texts = new Texts();
  const lookup = new Lookup(document, budget, limits.reference_chain, dialect === JSON_SCHEMA_2020);
  const walk = new Walk(lookup, budget, dialect);
  const schemas = new SchemaReader(walk, limits, texts);
  const openApi = new OpenApiReader(lookup, terms, document.version);
  const read = (head: Head) =>
    document.kind === 'discovery' ? readDiscovery(head, lookup, budget) : openApi.read(head);
  return { ...terms, document, texts, lookup, walk, schemas, bodies: new BodyReader(schemas), read };
}

/**
 * Everything but what the operations hold inside.
 * @throws Failure `too-many-operations`, `description-too-large`.
 */
export function survey({ document, lookup, budget, limits }: Reading): Survey {
  return document.kind === 'discovery'
    ? surveyDiscovery(document, lookup, budget, limits)
    : surveyOpenApi(document, lookup, budget, limits);
}

/**
 * One operation. Its steps count from here on, those of its schemas included.
 * @throws Refused with the reason why it cannot be read, Failure `description-too-large`.
 */
export function readOperation(head: Head, { budget, walk, read }: Reading): Operation {
  budget.begin(head.place.at);
  walk.begin(head.identifier ?? '', head.place.at);
  return read(head);
}
