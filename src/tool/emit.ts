// One operation to what becomes a tool: its arguments, where each goes, and what was left out.
import type { Notice } from '../base/codes.js';
import { put } from '../base/json.js';
import { Refused } from '../base/refused.js';
import { count, quoted } from '../base/text.js';
import type { Body, Head, Operation, Parameter, Refusal, ServerUrl, Survey } from '../operation/operation.js';
import { type Reading, readOperation } from '../operation/read.js';
import type { BodyShape } from '../operation/schema/body.js';
import { type Emitted, ObjectBuilder } from '../operation/schema/build.js';
import { type NamedArgument, nameArguments, type Value } from './argument.js';
import { isKeyCookie, judge } from './credential.js';
import { describeTool } from './description.js';
import { bodyLocation, parameterLocation } from './location.js';
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
}

/** A value that becomes an argument, before its schema is read. */
interface Wanted extends Value {
  readonly parameter: Parameter | undefined;
  readonly required: boolean;
  readonly at: string;
  readonly schema: () => Emitted;
}

/**
 * Reads one operation and emits it, or says why it cannot be imported.
 * @throws Failure `description-too-large`.
 */
export function emitTool(head: Head, name: string, survey: Survey, reading: Reading): Emission | Refusal {
  try {
    return new Emitter(readOperation(head, reading), survey, reading).emit(name);
  } catch (error) {
    if (error instanceof Refused) return { key: head.key, code: error.code, at: error.at, reason: error.message };
    // What nests deeper than the stack is deeper than any bound of steps that was meant.
    if (error instanceof RangeError) {
      return {
        key: head.key,
        code: 'too-large',
        at: head.place.at,
        reason: 'its schemas are nested too deep to be read',
      };
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
  readonly #survey: Survey;
  readonly #reading: Reading;
  readonly #notices: Notice[];

  constructor(operation: Operation, survey: Survey, reading: Reading) {
    this.#operation = operation;
    this.#survey = survey;
    this.#reading = reading;
    this.#notices = [...operation.notices];
  }

  emit(name: string): Emission {
    const { head, body } = this.#operation;
    const template = parsePath(head.path, head.place.at);
    const parameters = this.#arguments(template);
    const shape = body === undefined ? undefined : this.#bodyShape(body);
    const wanted = [...parameters.map((one) => this.#parameterValue(one)), ...this.#bodyValues(body, shape)];
    const names = nameArguments(wanted);
    const { schema, locations } = this.#compose(wanted, names);
    const gapNames = new Map(wanted.map((one, i) => [gapKey(one), names[i]?.name ?? one.name]));
    if (this.#operation.deprecated) this.#note('deprecated', head.place.at, 'it is deprecated');
    if (head.servers !== undefined) this.#note('own-servers', head.place.at, 'it has servers of its own');
    const draft: ToolDraft = {
      key: head.key,
      name,
      method: head.method,
      path: head.path,
      description: describeTool(this.#operation, this.#reading.texts, this.#reading.limits),
      input_schema: schema,
      locations,
      ...(body === undefined ? {} : { body: toolBody(body, shape, wanted, names) }),
      ...(head.servers === undefined ? {} : { servers: head.servers }),
      notices: distinct([...this.#notices, ...this.#reading.walk.notices]),
    };
    return {
      draft,
      template: writePath(
        template,
        (gap) => gapNames.get(`path ${gap}`) ?? gapNames.get(`path ${gap.slice(1)}`) ?? gap,
      ),
    };
  }

  /** The parameters that become arguments; a gap that none fills is refused. */
  #arguments(template: PathTemplate): Parameter[] {
    const { head, parameters } = this.#operation;
    const unfilled = new Set(template.gaps);
    const kept: Parameter[] = [];
    for (const parameter of parameters) {
      if (parameter.in === 'path') {
        // `{+name}` is Discovery's gap for a value with slashes.
        const gap =
          parameter.allow_reserved && unfilled.has(`+${parameter.name}`) ? `+${parameter.name}` : parameter.name;
        if (unfilled.delete(gap)) {
          if (gap !== parameter.name || this.#isReservedInDiscovery(parameter)) throw reserved(parameter);
          kept.push(parameter);
        } else {
          this.#note('parameter-left-out', parameter.at, `the path has no gap ${quoted(`{${parameter.name}}`)}`);
        }
      } else if (this.#keeps(parameter)) kept.push(parameter);
    }
    const [gap] = unfilled;
    if (gap === undefined) return kept;
    throw new Refused('path-gap', head.place.at, `no parameter fills the gap ${quoted(`{${gap}}`)} of its path`);
  }

  #isReservedInDiscovery(parameter: Parameter): boolean {
    return this.#reading.document.kind === 'discovery' && parameter.allow_reserved;
  }

  #keeps(parameter: Parameter): boolean {
    const schemes = this.#survey.schemes.values();
    if (parameter.in === 'cookie') {
      if (isKeyCookie(parameter, schemes)) return false;
      const cookie = `the cookie ${quoted(parameter.name)}`;
      if (parameter.required) throw new Refused('cookie', parameter.at, `it requires ${cookie}, which is not its key`);
      this.#note('cookie-left-out', parameter.at, `${cookie} is optional and is left out`);
      return false;
    }
    const verdict = judge(parameter, schemes);
    if (verdict === 'unsupplied') {
      const message = `it requires the header ${quoted(parameter.name)}, which carries a credential and no security scheme names`;
      this.#note('credential-left-out', parameter.at, message);
    }
    return verdict === 'argument';
  }

  #parameterValue(parameter: Parameter): Wanted {
    const { schemas } = this.#reading;
    return {
      place: parameter.in === 'path' || parameter.in === 'header' ? parameter.in : 'query',
      name: parameter.name,
      parameter,
      required: parameter.required,
      at: parameter.at,
      schema: () => schemas.parameter(parameter.schema, parameter.description),
    };
  }

  #bodyShape(body: Body): BodyShape {
    const shape = this.#reading.bodies.read(body.schema);
    if (shape.kind !== 'other') return shape;
    throw new Refused('body-not-object', body.at, `its JSON body is ${shape.found}, not an object`);
  }

  #bodyValues(body: Body | undefined, shape: BodyShape | undefined): Wanted[] {
    if (body === undefined || shape === undefined) return [];
    if (shape.kind === 'properties') {
      return shape.properties.map(({ name, emitted, required }) => {
        return { place: 'body', name, parameter: undefined, required, at: body.at, schema: () => emitted };
      });
    }
    if (shape.kind === 'other') return [];
    const { emitted } = shape;
    const described = emitted.schema.description === undefined && body.description !== undefined;
    const schema = () =>
      described ? this.#reading.schemas.annotated(emitted, { description: body.description ?? '' }) : emitted;
    return [{ place: 'body', name: 'body', parameter: undefined, required: body.required, at: body.at, schema }];
  }

  /** The flat object schema of all arguments, and their places. */
  #compose(wanted: readonly Wanted[], names: readonly NamedArgument[]): { schema: Schema; locations: Locations } {
    const properties = new ObjectBuilder();
    const required: string[] = [];
    const locations: Record<string, Locations[string]> = {};
    for (const [i, one] of wanted.entries()) {
      const { name, taken } = names[i] ?? { name: one.name, taken: false };
      const emitted = one.schema();
      properties.add(name, emitted.schema, emitted.bytes);
      if (one.required) required.push(name);
      const location =
        one.parameter === undefined ? bodyLocation(one.name, name) : parameterLocation(one.parameter, name);
      if (location !== undefined) put(locations, name, location);
      if (one.parameter !== undefined) this.#reading.schemas.checkName(one.name, one.at);
      if (taken)
        this.#note('argument-renamed', one.at, `${quoted(one.name)} in ${one.place} is the argument ${quoted(name)}`);
    }
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

  #note(code: Notice['code'], at: string, message: string): void {
    this.#notices.push({ code, at, message });
  }
}

function reserved(parameter: Parameter): Refused {
  return new Refused('reserved-path', parameter.at, `the path value {+${parameter.name}} may hold slashes`);
}

function gapKey(one: Wanted): string {
  return `${one.place} ${one.name}`;
}

function toolBody(
  body: Body,
  shape: BodyShape | undefined,
  wanted: readonly Wanted[],
  names: readonly NamedArgument[],
): ToolBody {
  const { content_type, required } = body;
  if (shape?.kind !== 'free') return { content_type, required };
  return { content_type, required, whole: names[wanted.findIndex(({ place }) => place === 'body')]?.name ?? 'body' };
}

/** A schema that two arguments share tells the same thing twice. */
function distinct(notices: readonly Notice[]): Notice[] {
  const seen = new Set<string>();
  return notices.filter(({ code, at }) => {
    const key = `${code} ${at}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
