// Judges output schemas by what is promised of them: valid, compiling, rooted in an object, open, within their bounds.
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { PreviewedOperation } from '../../src/app/preview.js';
import { DEFAULT_LIMITS } from '../../src/index.js';

type Node = { readonly [key: string]: unknown };

/** Of the distinct schemas so many are one that is compiled; `CORPUS_COMPILE=1` compiles all, which takes minutes. */
const EVERY = Number(process.env.CORPUS_COMPILE ?? 20);
const KEYWORDS = new Set(
  `type properties required items prefixItems additionalProperties anyOf enum const format title description minimum maximum
  exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems pattern`.split(/\s+/),
);

export class OutputJudge {
  readonly faults: string[] = [];
  emitted = 0;
  readonly #seen = new Set<string>();
  readonly #notices: Record<string, number> = {};
  readonly #ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });
  #operations = 0;
  #compiled = 0;
  #wrapped = 0;

  judge(name: string, { output_schema: schema, notices }: PreviewedOperation): void {
    this.#operations += 1;
    for (const { code } of notices)
      if (code.startsWith('output-')) this.#notices[code] = (this.#notices[code] ?? 0) + 1;
    if (schema === undefined) return;
    this.emitted += 1;
    if (schema.additionalProperties === false) this.#wrapped += 1;
    const text = JSON.stringify(schema);
    if (this.#seen.has(text)) return;
    this.#seen.add(text);
    for (const fault of this.#faultsOf(schema, text)) this.faults.push(`${name}: ${fault}`);
  }

  summary(): string {
    const [all, distinct] = [`${this.emitted} of ${this.#operations}`, this.#seen.size];
    return `output schemas: ${all} operations have one (${this.#wrapped} under "result"), ${distinct} distinct, ${this.#compiled} compiled; ${JSON.stringify(this.#notices)}`;
  }

  *#faultsOf(schema: Node, text: string): Generator<string> {
    if (schema.type !== 'object') yield 'its root is no object';
    if (Buffer.byteLength(text) > DEFAULT_LIMITS.operation_schema_bytes) yield 'it has too many bytes';
    if (!this.#ajv.validateSchema(schema)) yield this.#ajv.errorsText();
    const wrapper = schema.additionalProperties === false;
    if (
      wrapper &&
      JSON.stringify([schema.required, Object.keys(schema.properties as Node)]) !== '[["result"],["result"]]'
    )
      yield 'it is closed';
    for (const [key, part] of Object.entries(wrapper ? { properties: schema.properties } : schema))
      yield* keyword(key, part, 0);
    if (this.#seen.size % EVERY !== 0) return;
    this.#compiled += 1;
    const options = {
      strict: false,
      logger: false,
      validateFormats: false,
      validateSchema: false,
      meta: false,
    } as const;
    try {
      new Ajv2020({ ...options, code: { optimize: false } }).compile(schema);
    } catch (error) {
      yield String(error);
    }
  }
}

function* faultsOf(node: unknown, level: number): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as Node;
  if (level > DEFAULT_LIMITS.nesting) yield `it shows ${level} levels`;
  if (schema.additionalProperties === false) yield 'it is closed inside';
  for (const [key, value] of Object.entries(schema)) yield* keyword(key, value, level);
}

function* keyword(key: string, value: unknown, level: number): Generator<string> {
  if (!KEYWORDS.has(key)) yield `it has the keyword ${key}`;
  if (key === 'pattern') new RegExp(value as string, 'u');
  if ((key === 'title' || key === 'description') && [...(value as string)].length > 300) yield 'a text is too long';
  if (key === 'properties') for (const part of Object.values(value as Node)) yield* faultsOf(part, level + 1);
  // What stands below the last level says nothing.
  if (key === 'items' || key === 'additionalProperties') {
    if (Object.keys(value as Node).length > 0) yield* faultsOf(value, level + 1);
  }
  if (key === 'prefixItems') for (const part of value as Node[]) yield* faultsOf(part, level + 1);
  if (key === 'anyOf') for (const part of value as Node[]) yield* faultsOf(part, level);
}
