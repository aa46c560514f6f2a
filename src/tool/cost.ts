// What a tool costs a model that is shown it: bytes, and tokens by a real tokenizer.
import { canonical } from '../base/canonical.js';
import type { Schema } from './tool.js';

/** What a model is shown of a tool. */
export interface Shown {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Schema;
}

/** Of what is sent: UTF-8 bytes, and tokens of o200k_base, the encoding of OpenAI's models since GPT-4o. */
export interface Cost {
  readonly bytes: number;
  readonly tokens: number;
}

export type CountTokens = (text: string) => number;

/** Characters that are counted at once: the tokenizer takes the square of a word. */
const PIECE = 512;
/** Between a letter and anything that is none; an apostrophe may belong to the word before it. */
const LETTER = /[A-Za-z]/;
const NOT_OF_A_WORD = /[\x20-&(-@[-`{-~]/;
/** A text that holds the name of a control token is text. */
const PLAIN = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/** Loads the tokenizer, which takes half a second: only who asks for tokens pays for that. */
export async function loadTokenizer(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  return (text) => {
    let tokens = 0;
    for (const piece of pieces(text)) tokens += countTokens(piece, PLAIN);
    return tokens;
  };
}

/** A text in pieces that end where a token ends as well; a run of so many characters without such a place is cut in two. */
function* pieces(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > PIECE) {
    const end = lastEnd(text, from + 1, from + PIECE);
    yield text.slice(from, end);
    from = end;
  }
  yield text.slice(from);
}

function lastEnd(text: string, least: number, most: number): number {
  for (let end = most; end >= least; end -= 1) {
    if (LETTER.test(text[end - 1] ?? '') && NOT_OF_A_WORD.test(text[end] ?? '')) return end;
  }
  // Not inside of a surrogate pair.
  return (text.charCodeAt(most) & 0xfc00) === 0xdc00 ? most - 1 : most;
}

/** A tool as it is sent, as compact JSON: the plain form of OpenAI's function calling. The keys of the schema are sorted, as in a store. */
function sent({ name, description, input_schema }: Shown): string {
  const head = JSON.stringify({ name, description }).slice(0, -1);
  return `{"type":"function","function":${head},"parameters":${canonical(input_schema)}}}`;
}

/** What one tool costs. */
export function toolCost(tool: Shown, count: CountTokens): Cost {
  const text = sent(tool);
  return { bytes: Buffer.byteLength(text), tokens: count(text) };
}
