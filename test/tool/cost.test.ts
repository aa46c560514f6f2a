// Tokens: counted in pieces they are those of the whole text, and a hostile text takes no square of its length.
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { costOf, preview } from '../../src/index.js';
import { loadTokenizer } from '../../src/tool/cost.js';
import { sampleTool } from '../store/sample.js';

const CLINIC = new URL('../../fixtures/clinic/description.json', import.meta.url).pathname;

it('counts a text in pieces as the tokenizer counts it whole', async () => {
  const count = await loadTokenizer();
  const { operations } = await preview({ file: CLINIC }, { output: true });
  expect(operations.length).toBeGreaterThan(50);
  for (const draft of operations) {
    const text = JSON.stringify(draft);
    expect([draft.key, count(text)]).toEqual([draft.key, countTokens(text)]);
  }
  const texts = ["don't won't it's ".repeat(90), 'the café of Zoë, naïve '.repeat(60), 'v1.2.3-rc4 '.repeat(100), ''];
  for (const text of texts) expect(count(text)).toBe(countTokens(text));
});

it('reads the name of a control token as text', async () => {
  const count = await loadTokenizer();
  expect(count('<|endoftext|>')).toBeGreaterThan(1);
});

it('counts words without an end', async () => {
  const count = await loadTokenizer();
  for (const word of ['a', ' ', '!', '\n', '語', '👩‍👩', 'Ab1']) {
    const text = word.repeat(Math.floor(200_000 / word.length));
    expect(count(text)).toBeGreaterThan(text.length / 200);
  }
});

it('tells what a set costs, without what is fixed', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] };
  const free = sampleTool('one', { input_schema: schema });
  const fixed = { ...free, fixed_parameters: { a: 'x' } };
  const { tools, bytes, tokens } = await costOf([free, fixed]);
  const text = JSON.stringify({
    type: 'function',
    function: {
      name: free.name,
      description: free.description,
      parameters: { properties: schema.properties, required: schema.required, type: 'object' },
    },
  });
  expect(tools[0]).toEqual({ bytes: Buffer.byteLength(text), tokens: countTokens(text) });
  expect(tools[1]?.bytes).toBeLessThan(tools[0]?.bytes ?? 0);
  expect(bytes).toBe((tools[0]?.bytes ?? 0) + (tools[1]?.bytes ?? 0));
  expect(tokens).toBe((tools[0]?.tokens ?? 0) + (tools[1]?.tokens ?? 0));
});
