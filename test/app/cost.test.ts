// The command line tells what tools cost, keeps them within a budget, and gives them no output schema where none is wanted.
import { expect, it } from 'vitest';
import { openapi, operation, parameter, SERVER } from '../cases/build.js';
import { atDesk } from '../cases/command.js';

const responses = { 200: { description: '', content: { 'application/json': { schema: { type: 'object' } } } } };
const DESCRIPTION = openapi({
  '/a': { get: operation('a', { responses, parameters: [parameter('query', 'x'), parameter('query', 'y')] }) },
  '/b': { get: operation('b', { responses, description: 'Says what it is for. '.repeat(20) }) },
});

it('counts bytes and tokens where that is asked for', async () => {
  await atDesk(async ({ run, write }) => {
    await write('doc.json', DESCRIPTION);
    const plain = JSON.parse((await run('preview', 'doc.json', '--json')).stdout);
    expect(JSON.stringify(plain)).not.toMatch(/"(?:cost|output_schema)"/);
    const { operations, cost } = JSON.parse(
      (await run('preview', 'doc.json', '--cost', '--output-schemas', '--json')).stdout,
    );
    expect(cost.tokens).toBe(operations[0].cost.tokens + operations[1].cost.tokens);
    expect(operations[0].output_schema).toEqual({ type: 'object' });
    const { stdout } = await run('preview', 'doc.json', '--cost');
    expect(stdout).toContain(`${cost.bytes} bytes, ${cost.tokens} tokens for the importable ones`);
    expect(stdout).toMatch(/BYTES +TOKENS +NOTICES/);
    await run('import', 'doc.json', '--server', SERVER, '--all');
    const listed = JSON.parse((await run('tools', 'list', '--cost', '--json')).stdout);
    expect(listed.map((tool: { cost: unknown }) => tool.cost)).toEqual(
      expect.arrayContaining(operations.map((one: { cost: unknown }) => one.cost)),
    );
    expect((await run('tools', 'list', '--cost')).stdout).toContain(
      `2 tools: ${cost.bytes} bytes, ${cost.tokens} tokens`,
    );
  });
});

it('keeps an import within a budget, or says what it needs', async () => {
  await atDesk(async ({ run, write, tools, store }) => {
    await write('doc.json', DESCRIPTION);
    const args = ['import', 'doc.json', '--server', SERVER, '--all'];
    const refused = await run(...args, '--budget', '10');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('error[over-budget]')]);
    const least = Number(/takes (\d+) tokens/.exec(refused.stderr)?.[1]);
    expect(await store()).toBeUndefined();
    const shown = (await run('preview', 'doc.json', '--budget', String(least))).stdout;
    expect(Number(/ bytes, (\d+) tokens/.exec(shown)?.[1])).toBeLessThanOrEqual(least);
    const { code, stderr } = await run(...args, '--budget', String(least), '--no-output');
    expect([code, stderr]).toEqual([0, expect.stringContaining('left out')]);
    const [a, b] = await tools();
    expect([a?.output_schema, b?.output_schema]).toEqual([undefined, undefined]);
    const bytes = await store();
    await run(...args, '--budget', String(least), '--no-output');
    expect(await store()).toBe(bytes);
    await run(...args);
    expect((await tools()).map(({ output_schema }) => output_schema)).toEqual([{ type: 'object' }, { type: 'object' }]);
    expect((await run('preview', 'doc.json', '--budget', 'few')).code).toBe(2);
  });
});
