// One operation to what becomes a tool: its arguments, where each goes, and what was left out.
import type { Notice } from '../base/codes.js';
import { put } from '../base/json.js';
import { FIXED_LIMITS } from '../base/limits.js';
import { Refused } from '../base/refused.js';
import { count, counted, invisibleCodePoints, quoted } from '../base/text.js';
import {
  checkName,
  type Head,
  type Operation,
  type Parameter,
  type Refusal,
  type ServerUrl,
} from '../operation/operation.js';
import { type Reading, readOperation, type SmallerReading, smaller } from '../operation/read.js';
import { type Emitted, ObjectBuilder } from '../operation/schema/build.js';
import { type NamedArguments, nameArguments, type Value } from './argument.js';
import { type BodyArguments, bodyArguments, toolBody } from './body.js';
import { type Credentials, judge } from './credential.js';
import { describeTool } from './description.js';
import { bodyLocation, parameterLocation } from './location.js';
import type { Output } from './output.js';
import { type PathTemplate, parsePath, writePath } from './path.js';
import type { Locations, Schema, ToolBody } from './tool.js';

/** An operation that can become a tool, as a preview shows it. */
export interface ToolDraft {
  readonly key: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly description: string;
  readonly input_schema: Schema;
  readonly locations: Locations;
  readonly body?: ToolBody;
  /** Servers of its own. */
  readonly servers?: readonly ServerUrl[];
  readonly notices: readonly Notice[];
}

/** A draft, with what an import needs beyond what a preview shows. */
export interface Emission {
  readonly draft: ToolDraft;
  /** The path with gaps named as the arguments are, without fragment. */
  readonly template: string;
  /** What it answers; read when it is first asked for, so that a preview does not pay for it. */
  readonly output: () => Output;
}

/** What is said of an operation from outside it. */
export interface Surroundings {
  readonly name: string;
  /** What the security schemes of the description take. */
  readonly credentials: Credentials;
  /** How it differs from the suggested connection. */
  readonly security: readonly Notice[];
  /** Optional properties of the body that are shown beyond the first ones. */
  readonly shown?: readonly string[];
  /** Reads what it answers. */
  readonly output: () => Output;
}

/** A value that becomes an argument. */
interface Wanted extends Value {
  readonly parameter: Parameter | undefined;
  readonly required: boolean;
  readonly emitted: Emitted;
}

/**
 * Reads one operation and emits it, or says why it cannot be imported.
 * @throws Failure `description-too-large`.
 */
export function emitTool(head: Head, surroundings: Surroundings, reading: Reading): Emission | Refusal {
  const result = emitAs(head, surroundings, reading);
  if (isEmission(result) || result.code !== 'too-large' || reading.profile === 'core') return result;
  for (const less of smaller(reading)) {
    const shown = emitAs(head, surroundings, less);
    if (isEmission(shown)) return shownSmaller(shown, result, less);
  }
  return result;
}

function shownSmaller(emission: Emission, { at, reason }: Refusal, { less }: SmallerReading): Emission {
  const what = less.optional ? `with ${less.nesting} levels` : 'with its required arguments alone';
  const notice: Notice = { code: 'shown-smaller', at, message: `it is shown ${what}: ${reason}` };
  const { draft } = emission;
  return { ...emission, draft: { ...draft, notices: [notice, ...draft.notices] } };
}

function emitAs(head: Head, surroundings: Surroundings, reading: Reading): Emission | Refusal {
  try {
    return new Emitter(readOperation(head, reading), surroundings, reading).emit();
  } catch (error) {
    if (error instanceof Refused) {
      const { code, at, message } = error;
      return { key: head.key, method: head.method, path: head.path, code, at, reason: message };
    }
    throw error;
  }
}

/** True of what can be imported. */
export function isEmission(result: Emission | Refusal): result is Emission {
  return 'draft' in result;
}

class Emitter {
  readonly #operation: Operation;
  readonly #surroundings: Surroundings;
  readonly #reading: Reading;
  readonly #notices: Notice[] = [];

  constructor(operation: Operation, surroundings: Surroundings, reading: Reading) {
    this.#operation = operation;
    this.#surroundings = surroundings;
    this.#reading = reading;
  }

  emit(): Emission {
    const { head, body } = this.#operation;
    const template = parsePath(head.path, head.place.at, this.#reading.document.kind === 'discovery');
    const wanted = this.#parameterValues(template);
    const read = body === undefined ? undefined : bodyArguments(body, this.#reading, this.#surroundings.shown);
    const parameters = wanted.length;
    if (read !== undefined) this.#addBodyValues(wanted, read);
    const named = nameArguments(wanted);
    const { schema, locations } = this.#compose(wanted, named);
    if (this.#operation.deprecated) this.#note('deprecated', head.place.at, 'it is deprecated');
    if (head.servers !== undefined) this.#checkServers(head.servers);
    this.#noteInvisible(head);
    const draft: ToolDraft = {
      key: head.key,
      name: this.#surroundings.name,
      method: head.method,
      path: head.path,
      description: describeTool(this.#operation, this.#reading.texts, this.#reading.limits),
      input_schema: schema,
      locations,
      ...(body === undefined || read === undefined
        ? {}
        : { body: toolBody(body, read, named.names.slice(parameters)) }),
      ...(head.servers === undefined ? {} : { servers: head.servers }),
      notices: this.#allNotices(),
    };
    return { draft, template: renamedPath(template, wanted, named), output: this.#surroundings.output };
  }

  #checkServers(servers: readonly ServerUrl[]): void {
    const { at } = this.#operation.head.place;
    const most = FIXED_LIMITS.own_servers;
    if (servers.length > most) {
      throw new Refused(
        'too-large',
        at,
        `it has ${count(servers.length)} servers of its own; at most ${most} are read`,
      );
    }
    this.#note('own-servers', at, 'it has servers of its own');
  }

  #noteInvisible({ key, path, place }: Head): void {
    const found = invisibleCodePoints(`${key}${path}`);
    if (found.length > 0) this.#note('invisible-characters', place.at, `its key or path holds ${found.join(', ')}`);
  }

  /** The parameters that become arguments, read; a gap that none fills is refused. */
  #parameterValues(template: PathTemplate): Wanted[] {
    const { head, parameters } = this.#operation;
    const unfilled = new Set(template.gaps);
    const kept = parameters.filter((parameter) => {
      return parameter.in === 'path' ? this.#fills(parameter, unfilled) : this.#keeps(parameter);
    });
    for (const gap of unfilled) {
      const written = template.text.includes(`{${gap}}`) ? `{${gap}}` : `{+${gap}}`;
      throw new Refused('path-gap', head.place.at, `no parameter fills the gap ${quoted(written)} of its path`);
    }
    return this.#shown(kept).map((parameter) => this.#parameterValue(parameter));
  }

  /** All of them, or the required ones where that is all there is room for. */
  #shown(parameters: readonly Parameter[]): readonly Parameter[] {
    if (this.#reading.less?.optional !== false) return parameters;
    const required = parameters.filter((parameter) => parameter.required);
    const left = parameters.length - required.length;
    if (left > 0)
      this.#note(
        'parameter-left-out',
        this.#operation.head.place.at,
        `${counted(left, 'optional parameter')} ${left === 1 ? 'is' : 'are'} left out`,
      );
    return required;
  }

  #fills(parameter: Parameter, unfilled: Set<string>): boolean {
    const { name, at } = parameter;
    const { budget, document, profile } = this.#reading;
    // `{+name}` is Discovery's gap for a value with slashes.
    if (parameter.allow_reserved && document.kind === 'discovery') {
      if (profile === 'core') throw new Refused('reserved-path', at, `the path value {+${name}} may hold slashes`);
      budget.lift();
    }
    if (unfilled.delete(name)) return true;
    this.#note('parameter-left-out', at, `the path has no gap ${quoted(`{${name}}`)}`);
    return false;
  }

  #keeps(parameter: Parameter): boolean {
    const { credentials } = this.#surroundings;
    if (parameter.in === 'cookie') {
      if (credentials.cookies.has(parameter.name)) return false;
      const cookie = `the cookie ${quoted(parameter.name)}`;
      if (parameter.required) throw new Refused('cookie', parameter.at, `it requires ${cookie}, which is not its key`);
      this.#note('cookie-left-out', parameter.at, `${cookie} is optional and is left out`);
      return false;
    }
    const verdict = judge(parameter, credentials);
    if (verdict === 'unsupplied') {
      const header = quoted(parameter.name);
      const message = `it requires the header ${header}, which carries a credential and no security scheme names`;
      this.#note('credential-left-out', parameter.at, message);
    }
    return verdict === 'argument';
  }

  #parameterValue(parameter: Parameter): Wanted {
    const { name, in: spot, schema, description, shared, required } = parameter;
    const place = spot === 'path' || spot === 'header' ? spot : 'query';
    return { place, name, parameter, required, emitted: this.#reading.schemas.parameter(schema, description, shared) };
  }

  #addBodyValues(wanted: Wanted[], { properties }: BodyArguments): void {
    for (const { name, emitted, required } of properties) {
      checkName(name, this.#operation.head.place.at);
      wanted.push({ place: 'body', name, parameter: undefined, required, emitted });
    }
  }

  /** The flat object schema of all arguments, and their places. */
  #compose(wanted: readonly Wanted[], named: NamedArguments): { schema: Schema; locations: Locations } {
    const properties = new ObjectBuilder();
    const required: string[] = [];
    const locations: Record<string, Locations[string]> = {};
    wanted.forEach((one, i) => {
      const name = named.names[i] ?? one.name;
      properties.addEntry(name, one.emitted.schema, one.emitted.bytes);
      if (one.required) required.push(name);
      this.#locate(one, name, locations);
      if (named.moved.has(i)) {
        const at = one.parameter?.at ?? this.#operation.body?.at ?? this.#operation.head.place.at;
        this.#note('argument-renamed', at, `${quoted(one.name)} in ${one.place} is the argument ${quoted(name)}`);
      }
    });
    const root = new ObjectBuilder();
    root.addString('type', 'object');
    root.add('properties', properties.value, properties.bytes);
    root.addStrings('required', required.sort());
    root.add('additionalProperties', false, 5);
    const most = this.#reading.limits.operation_schema_bytes;
    if (root.bytes > most) {
      const reason = `its input schema would be ${count(root.bytes)} bytes; at most ${count(most)} are allowed`;
      throw new Refused('too-large', this.#operation.head.place.at, reason);
    }
    return { schema: root.value, locations };
  }

  #locate({ parameter, name }: Wanted, argument: string, locations: Record<string, Locations[string]>): void {
    const location = parameter === undefined ? bodyLocation(name, argument) : parameterLocation(parameter, argument);
    if (location !== undefined) put(locations, argument, location);
    if (parameter !== undefined) this.#reading.schemas.checkName(name, parameter.at);
  }

  #note(code: Notice['code'], at: string, message: string): void {
    this.#notices.push({ code, at, message });
  }

  /** A schema that two arguments share tells the same thing once. */
  #allNotices(): Notice[] {
    const { notices } = this.#operation;
    const all = [...notices, ...this.#notices, ...this.#reading.walk.notices, ...this.#surroundings.security];
    if (all.length < 2) return all;
    const seen = new Set<string>();
    return all.filter(({ code, at, message }) => {
      const key = `${code} ${at} ${message}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
  }
}

function renamedPath(template: PathTemplate, wanted: readonly Wanted[], { names }: NamedArguments): string {
  const renamed = new Map<string, string>();
  wanted.forEach(({ place, name }, i) => {
    if (place === 'path') renamed.set(name, names[i] ?? name);
  });
  return writePath(template, (gap) => renamed.get(gap) ?? gap);
}
