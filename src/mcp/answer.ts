// What a call came to as an answer of MCP: text within a bound, structured content, images and files, and what to do about an error.
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import type { FailureCode } from '../base/codes.js';
import type { Failure } from '../base/failure.js';
import type { JsonObject } from '../base/json.js';
import { count, visible } from '../base/text.js';
import type { Answered, CallResult } from '../call/call.js';
import { renderHead } from '../call/result.js';
import { structuredAnswer, unlikeDescribed } from '../tool/structured.js';
import type { HttpTool, Schema } from '../tool/tool.js';
import { answerFault } from '../tool/value.js';
import { type CutText, cutJson, cutText } from './cut.js';
import { isReadOnly } from './render.js';

/** Types that the providers take as images, with how they begin: another thing under such a name would end the whole chat. */
const IMAGES: { readonly [type: string]: RegExp } = {
  'image/png': /^\x89PNG/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8/,
  'image/webp': /^RIFF[\s\S]{4}WEBP/,
};
const JSON_TYPE = /^[^;,]*[/+]json\b/i;
const FAULT_CHARS = 300;
export interface AnswerOptions {
  /** Bytes of the text. */
  readonly most: number;
  /** What the API describes of a good answer; undefined where the client was shown nothing of it. */
  readonly form: Schema | undefined;
}

/** The answer of a call that was made, or refused before it was sent. */
export function answerOf(tool: HttpTool, result: CallResult, options: AnswerOptions): CallToolResult {
  if (result.kind !== 'answer' || result.status >= 400) return errorOf(tool, result, options);
  const cut = textOf(result, options.most);
  const notes = (cut?.notes ?? []).map((note) => `Note: ${note}`);
  const head = [renderHead(result), ...notes].join('\n');
  const content: ContentBlock[] = [...(isPlain(result, notes) ? [] : [textBlock(head)]), ...blocks(tool, result, cut)];
  if (options.form === undefined) return { content };
  return { content, structuredContent: structuredOf(result, cut, options.form) };
}

/** The answer of a call that could not be made for want of something that only a person can bring. */
export function failureAnswer(failure: Failure): CallToolResult {
  const advice = FAILURE_ADVICE[failure.code];
  return saying(`The call could not be made: ${failure.message}${advice === undefined ? '' : `\n${advice}`}`);
}

/** An error in words of our own. */
export function saying(text: string): CallToolResult {
  return { content: [textBlock(text)], isError: true };
}

function errorOf(tool: HttpTool, result: CallResult, { most }: AnswerOptions): CallToolResult {
  const cut = 'body' in result ? textOf(result, most) : undefined;
  const notes = (cut?.notes ?? []).map((note) => `Note: ${note}`);
  const head = cutText(renderHead(result), most).text;
  const content = [textBlock([head, ...notes].join('\n'))];
  if ('body' in result) content.push(...blocks(tool, result, cut));
  const advice = adviceOf(tool, result);
  if (advice !== undefined) content.push(textBlock(advice));
  return { content, isError: true };
}

const BY_PERSON = 'Nothing that you send changes this: tell the person who runs toolwright.';
const FAILURE_ADVICE: { readonly [code in FailureCode]?: string } = {
  'connection-broken': `${BY_PERSON} \`toolwright connections set\` takes the new secret.`,
  'secret-missing': BY_PERSON,
  'no-connection': BY_PERSON,
  'unknown-connection': BY_PERSON,
  'no-oauth-client': BY_PERSON,
  'unopened-secret': BY_PERSON,
  'no-seal-key': BY_PERSON,
  'renewal-failed': 'It may go through later.',
};

/** What a model can do about it. */
function adviceOf(tool: HttpTool, result: CallResult): string | undefined {
  switch (result.kind) {
    case 'refused':
      return result.problems.length > 0 ? 'Correct the arguments and call again.' : undefined;
    case 'unauthorized':
      return BY_PERSON;
    case 'timeout':
      return isReadOnly(tool)
        ? 'It may be called again.'
        : 'The API may have carried it out all the same: look before you call again.';
    case 'unreachable':
      return 'It may go through later.';
    case 'answer':
      if (result.status === 429) return 'Wait before you call again.';
      if (result.status >= 500) return 'This is a fault of the API; it may go through later.';
      return 'The API refuses this call as it is: see what it says, and call with other arguments.';
  }
}

/** True where there is nothing to say of an answer but its body. */
function isPlain({ status, headers, notes, attempts, body }: Answered, cut: readonly string[]): boolean {
  const told = Object.keys(headers).some((name) => !/^(?:content-|last-modified$|etag$)|request-?id/.test(name));
  return status === 200 && !told && notes.length + cut.length === 0 && attempts === 1 && body.kind !== 'empty';
}

/** The text of a body within the bound; undefined where it is none. */
function textOf({ body, headers, cut }: Answered, most: number): CutText | undefined {
  if (body.kind === 'json') return shortened(body.text, most, true);
  if (body.kind !== 'text') return undefined;
  const halfJson = cut === true && JSON_TYPE.test(headers['content-type'] ?? '');
  return halfJson ? cutJson(body.text, most, false) : cutText(body.text, most);
}

function shortened(text: string, most: number, whole: boolean): CutText {
  return Buffer.byteLength(text) <= most ? { text, notes: [], json: true } : cutJson(text, most, whole);
}

function blocks(tool: HttpTool, { body, cut }: Answered, text: CutText | undefined): ContentBlock[] {
  if (text !== undefined) return [textBlock(text.text)];
  if (body.kind !== 'binary') return [];
  const { base64: data, content_type: mimeType } = body;
  const size = `${mimeType}, ${count(Buffer.byteLength(data, 'base64'))} bytes`;
  if (cut === true) return [textBlock(`${size} and more: only its beginning was read, and it is not shown.`)];
  if (IMAGES[mimeType]?.test(Buffer.from(data.slice(0, 64), 'base64').toString('latin1'))) {
    return [{ type: 'image', data, mimeType }];
  }
  if (mimeType.startsWith('audio/')) return [{ type: 'audio', data, mimeType }];
  return [
    textBlock(`${size}:`),
    { type: 'resource', resource: { uri: `toolwright:answer/${tool.name}`, mimeType, blob: data } },
  ];
}

/** The value of an answer where it is as described; else what keeps it from that, and the answer as it came. */
function structuredOf({ status, body }: Answered, cut: CutText | undefined, form: Schema): JsonObject {
  if (cut?.json !== true) {
    const what = body.kind === 'empty' ? 'it is empty' : 'it is not JSON, or was too long to be shown whole';
    return unlikeDescribed(what, cut?.text ?? null);
  }
  const parsed: unknown = body.kind === 'json' && cut.text === body.text ? body.value : JSON.parse(cut.text);
  if (status >= 300) return unlikeDescribed(`the status is ${status}`, parsed);
  const value = structuredAnswer(form, parsed);
  if (value === undefined) return unlikeDescribed('an object is expected', parsed);
  const fault = answerFault(form, value);
  return fault === undefined ? value : unlikeDescribed(visible(fault, FAULT_CHARS), parsed);
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text };
}
