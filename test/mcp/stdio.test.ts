// Over the standard input and output, by hand: frames, codes and results as the text of each revision has them.
import { describe, expect, it, vi } from 'vitest';
import { type Api, atApi } from './api.js';
import { atStdio, envelope, heldForAll, initialize, type Json, type Served } from './support.js';

// Each starts a process.
vi.setConfig({ testTimeout: 60_000 });

const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };

function call(id: unknown, name: string, args: unknown = {}, meta?: Json): Json {
  return {
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) },
  };
}

async function begun(served: Served, revision: string, capabilities: Json = {}): Promise<Json> {
  const { result } = await served.ask(initialize(revision, capabilities));
  served.send(INITIALIZED);
  return result;
}

function serving(work: (served: Served, api: Api) => Promise<void>, ...flags: readonly string[]): Promise<void> {
  return atApi((api) => atStdio([...api.args, ...flags], (served) => work(served, api)));
}

const begunAlready = heldForAll<readonly [Served, Api]>((work) =>
  serving(async (served, api) => {
    await begun(served, '2025-11-25');
    await work([served, api]);
  }),
);

/** By the server of all tests that speak 2025-11-25 and leave it as it was. */
async function sharing(work: (served: Served, api: Api) => Promise<void>): Promise<void> {
  const [served, api] = begunAlready();
  served.forget();
  api.asked.length = 0;
  await work(served, api);
}

describe.each(['2025-11-25', '2025-06-18', '2025-03-26'])('revision %s', (revision) => {
  it('begins, lists, calls, and answers faults with the codes of the protocol', async () => {
    await serving(async (served, api) => {
      const result = await begun(served, revision);
      expect(result).toMatchObject({
        protocolVersion: revision,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'toolwright' },
      });
      expect(await served.ask({ jsonrpc: '2.0', id: 0, method: 'ping' })).toEqual({
        jsonrpc: '2.0',
        id: 0,
        result: {},
      });

      const listed = await served.ask({ jsonrpc: '2.0', id: 'list', method: 'tools/list' });
      expect(Object.keys(listed.result)).toEqual(['tools']);
      const names = listed.result.tools.map(({ name }: Json) => name);
      expect(names).toEqual(['answer', 'cancelVisit', 'createVisit', 'getVisit', 'listVisits', 'slow', 'touch']);
      for (const tool of listed.result.tools) {
        expect(tool.inputSchema.type).toBe('object');
        expect('title' in tool).toBe(revision !== '2025-03-26');
        expect('outputSchema' in tool && revision === '2025-03-26').toBe(false);
        expect(tool.annotations.openWorldHint).toBe(true);
      }

      const good = await served.ask(call(2, 'getVisit', { id: 'v7' }));
      expect(good.result.content).toEqual([{ type: 'text', text: '{"id":"v7","room":3}' }]);
      expect(good.result.isError).toBeUndefined();

      const before = api.asked.length;
      expect((await served.ask(call(3, 'nope'))).error).toMatchObject({
        code: -32602,
        message: expect.stringContaining('nope'),
      });
      expect((await served.ask({ jsonrpc: '2.0', id: 4, method: 'no/such' })).error?.code).toBe(-32601);
      expect((await served.ask({ ...call(5, 'getVisit'), params: { name: 7 } })).error?.code).toBe(-32602);
      expect(
        (await served.ask({ ...call(6, 'getVisit'), params: { name: 'getVisit', arguments: [] } })).error?.code,
      ).toBe(-32602);
      const wrong = await served.ask(call(7, 'createVisit', { room: 'first' }));
      expect(wrong.result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('room') }, {}] });
      const cursor = { jsonrpc: '2.0', id: 8, method: 'tools/list', params: { cursor: 'garbage' } };
      expect((await served.ask(cursor)).error?.code).toBe(-32602);
      expect(api.asked.length).toBe(before);
    });
  });
});

it('counters a revision that is not spoken with one that is', async () => {
  await serving(async (served) => {
    expect((await begun(served, '1999-01-01')).protocolVersion).toBe('2025-11-25');
  });
});

it('speaks 2026-07-28 without a handshake', async () => {
  await serving(async (served) => {
    const ask = (id: unknown, method: string, params: Json = {}, meta: Json = {}) =>
      served.ask({ jsonrpc: '2.0', id, method, params: { ...params, _meta: envelope({}, meta) } });
    const other = await ask(0, 'tools/list', {}, { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' });
    expect(other.error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'] } });
    const { result } = await ask(1, 'server/discover');
    expect(result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true } },
      resultType: 'complete',
    });
    const listed = await ask(2, 'tools/list');
    expect(listed.result).toMatchObject({ resultType: 'complete', cacheScope: 'private', ttlMs: expect.any(Number) });
    expect(listed.result.tools).toHaveLength(7);
    const called = await ask(3, 'tools/call', { name: 'getVisit', arguments: { id: 'v7' } });
    expect(called.result).toMatchObject({
      resultType: 'complete',
      content: [{ type: 'text', text: '{"id":"v7","room":3}' }],
    });
    expect((await ask(4, 'tools/call', { name: 'nope' })).error?.code).toBe(-32602);
    const wrong = await ask(5, 'tools/call', { name: 'createVisit', arguments: { room: 'first' } });
    expect(wrong.result.isError).toBe(true);
  });
});

describe('a call that goes on', () => {
  it('tells its progress to who asked for it, and is cancelled upstream with the client', async () => {
    await sharing(async (served, api) => {
      served.send(call(1, 'slow', {}, { progressToken: 'p' }));
      const progress = await served.until(() =>
        served.messages().find(({ method }) => method === 'notifications/progress'),
      );
      expect(progress.params).toMatchObject({ progressToken: 'p', total: 30, message: 'attempt 1 of 3' });
      await served.until(() => api.asked.length === 1);
      served.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'enough' } });
      await served.until(() => api.asked[0]?.dropped);
      await served.ask({ jsonrpc: '2.0', id: 2, method: 'ping' });
      expect(served.messages().filter(({ id }) => id === 1)).toEqual([]);
    });
  });

  it('counts attempts and waits, with a progress that grows', async () => {
    await sharing(async (served, api) => {
      const answer = await served.ask(call(1, 'answer', { kind: '503' }, { progressToken: 7 }));
      expect(answer.result.isError).toBe(true);
      expect(api.asked).toHaveLength(3);
      const told = served.messages().filter(({ method }) => method === 'notifications/progress');
      expect(told.map(({ params }) => params?.message)).toEqual([
        'attempt 1 of 3',
        expect.stringMatching(/^attempt 1 of 3 failed; the next one in \d\.\d s$/),
        'attempt 2 of 3',
        expect.stringMatching(/^attempt 2 of 3 failed/),
        'attempt 3 of 3',
      ]);
      const numbers = told.map(({ params }) => Number(params?.progress));
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    });
  });

  it('ends when the client closes its end, after what was asked is answered', async () => {
    await serving(async (served) => {
      served.send(initialize('2025-11-25'));
      served.send(INITIALIZED);
      served.send(call(1, 'getVisit', { id: 'v1' }));
      served.child.stdin?.end();
      expect(await served.exit()).toBe(0);
      expect(served.messages().map(({ id }) => id)).toEqual(['init', 1]);
    });
  });

  it('is given a short grace when the process is asked to end, and no other call begins', async () => {
    await serving(async (served, api) => {
      await begun(served, '2025-11-25');
      served.send(call(1, 'slow'));
      await served.until(() => api.asked.length === 1);
      served.child.kill('SIGTERM');
      await served.until(() => /* the end begins */ served.child.killed);
      const late = await served.ask(call(2, 'getVisit', { id: 'v1' }));
      // Either it came just before the signal, or it is refused.
      if (late.result.isError === true) expect(late.result.content[0].text).toContain('ending');
      const answer = await served.answer(1);
      expect(answer.result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('cancelled') }, {}],
      });
      expect(await served.exit()).toBe(0);
      expect(api.asked[0]?.dropped).toBe(true);
    });
  });
});

describe('answers', () => {
  it('are images, sounds and files by their types, and never an image that is none', async () => {
    await sharing(async (served) => {
      const content = async (kind: string) => (await served.ask(call(kind, 'answer', { kind }))).result.content;
      expect(await content('png')).toEqual([{ type: 'image', mimeType: 'image/png', data: expect.any(String) }]);
      expect(await content('wav')).toEqual([{ type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' }]);
      for (const kind of ['pdf', 'lie']) {
        const [text, file] = await content(kind);
        expect(text.text).toMatch(/bytes:$/);
        expect(file).toMatchObject({
          type: 'resource',
          resource: { uri: 'toolwright:answer/answer', blob: expect.any(String) },
        });
      }
    });
  });

  it('of an error say what can be done about it', async () => {
    await sharing(async (served) => {
      for (const [kind, advice] of [
        ['404', 'other arguments'],
        ['429', 'Wait'],
        ['500', 'fault of the API'],
      ] as const) {
        const { result } = await served.ask(call(kind, 'answer', { kind }));
        expect(result.isError).toBe(true);
        expect(result.structuredContent).toBeUndefined();
        expect(result.content.map(({ text }: Json) => text)).toEqual([
          expect.stringContaining(kind),
          `{"message":"this is ${kind}"}`,
          expect.stringContaining(advice),
        ]);
      }
    });
  });

  it('that are too long are cut after an element, with a note', async () => {
    await serving(
      async (served) => {
        await begun(served, '2025-11-25');
        const { result } = await served.ask(call(1, 'listVisits', { limit: 500 }));
        const [head, text] = result.content.map((block: Json) => String(block.text));
        expect(text.length).toBeLessThanOrEqual(1_000);
        const shown = JSON.parse(text);
        expect(shown.at(-1)).toEqual({ id: `v${shown.length - 1}`, room: shown.length - 1 });
        expect(head).toContain(`Note: the list at / holds 500 elements; the first ${shown.length} are shown`);
      },
      '--max-answer',
      '1000',
    );
  });
});

it('offers three tools where there are many, which call as directly as any', async () => {
  await serving(
    async (served, api) => {
      const { instructions } = await begun(served, '2025-11-25');
      expect(instructions).toContain('7 tools');
      const { result } = await served.ask({ jsonrpc: '2.0', id: 'l', method: 'tools/list' });
      expect(result.tools.map(({ name }: Json) => name)).toEqual(['search_tools', 'describe_tool', 'call_tool']);
      const text = async (id: string, name: string, args: Json) => {
        const answer = await served.ask(call(id, name, args));
        return { text: String(answer.result.content[0].text), isError: answer.result.isError === true };
      };
      const found = JSON.parse((await text('a', 'search_tools', { query: 'cancel the visits' })).text);
      expect(found[0]).toEqual({ name: 'cancelVisit', description: 'Cancels a visit.' });
      const described = JSON.parse((await text('b', 'describe_tool', { name: 'cancelVisit' })).text);
      expect(described.inputSchema.required).toEqual(['id']);
      const called = await text('c', 'call_tool', { name: 'getVisit', arguments: { id: 'v3' } });
      expect(called).toEqual({ text: '{"id":"v3","room":3}', isError: false });
      expect(await text('d', 'getVisit', { id: 'v3' })).toEqual(called);
      expect(api.asked).toHaveLength(2);
      expect(await text('e', 'call_tool', { name: 'createVisit', arguments: { room: 'x' } })).toMatchObject({
        isError: true,
      });
      expect(await text('f', 'call_tool', { name: 'getVisits' })).toEqual({
        text: 'There is no tool "getVisits"; did you mean "getVisit"?',
        isError: true,
      });
      expect(await text('g', 'search_tools', { query: 'zebra' })).toMatchObject({ isError: false });
      expect(await text('h', 'search_tools', {})).toMatchObject({ isError: true });
      expect((await served.ask(call('i', 'nope'))).error?.code).toBe(-32602);
      expect(api.asked).toHaveLength(2);
    },
    '--max-tools',
    '6',
  );
});

it('offers only what reads, where that is asked for', async () => {
  await serving(async (served, api) => {
    await begun(served, '2025-11-25');
    const { result } = await served.ask({ jsonrpc: '2.0', id: 'l', method: 'tools/list' });
    expect(result.tools.map(({ name }: Json) => name)).toEqual(['answer', 'getVisit', 'listVisits', 'slow']);
    expect((await served.ask(call(1, 'cancelVisit', { id: 'a' }))).error?.code).toBe(-32602);
    expect(api.asked).toEqual([]);
  }, '--read-only');
});

describe('a call that may destroy something', () => {
  const elicitation = (served: Served, after = 0) =>
    served.until(() => served.messages().filter(({ method }) => method === 'elicitation/create')[after]);

  it('is made when the person who is asked agrees, and not when not', async () => {
    await serving(
      async (served, api) => {
        await begun(served, '2025-06-18', { elicitation: {} });
        const replies = [
          { action: 'accept', content: { confirm: true } },
          { action: 'accept', content: { confirm: false } },
          // What is no true is no consent.
          ...['true', 1, [true], { confirm: true }, null].map((confirm) => ({
            action: 'accept',
            content: { confirm },
          })),
          { action: 'accept', content: {} },
          { action: 'accept' },
          { action: 'decline' },
          { action: 'cancel' },
        ];
        for (const [i, result] of replies.entries()) {
          served.send(call(i, 'cancelVisit', { id: `v${i}` }));
          const question = await elicitation(served, i);
          expect(question.params?.message).toContain(
            `cancelVisit (DELETE), which may destroy something, with {"id":"v${i}"}`,
          );
          expect(api.asked).toHaveLength(Math.min(i, 1));
          served.send({ jsonrpc: '2.0', id: question.id, result });
          const answer = await served.answer(i);
          expect(answer.result.isError === true).toBe(i > 0);
        }
        expect(api.asked).toHaveLength(1);
        await served.ask(call('other', 'createVisit', { room: 1 }));
        expect(api.asked).toHaveLength(2);
      },
      '--confirm',
      'destructive',
    );
  });

  it('is refused where nobody can be asked', async () => {
    await serving(
      async (served, api) => {
        await begun(served, '2025-11-25');
        const { result } = await served.ask(call(1, 'cancelVisit', { id: 'v1' }));
        expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('cannot ask') }] });
        expect(api.asked).toEqual([]);
      },
      '--confirm',
      'destructive',
    );
  });

  it('is asked about by a result in 2026-07-28, which holds for that call alone', async () => {
    await serving(
      async (served, api) => {
        const ask = (id: unknown, args: Json, rest: Json = {}, ways: Json = { form: {} }) =>
          served.ask({
            jsonrpc: '2.0',
            id,
            method: 'tools/call',
            params: { name: 'cancelVisit', arguments: args, ...rest, _meta: envelope({ elicitation: ways }) },
          });
        // A page elsewhere is no way to show a question.
        const elsewhere = await ask(0, { id: 'v1' }, {}, { url: {} });
        expect(elsewhere.result).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining('cannot ask') }],
        });
        expect((await ask('bare', { id: 'v1' }, {}, {})).result.resultType).toBe('input_required');
        const { result } = await ask(1, { id: 'v1' });
        expect(result).toMatchObject({
          resultType: 'input_required',
          inputRequests: { confirm: { method: 'elicitation/create' } },
          requestState: expect.any(String),
        });
        const agreed = { inputResponses: { confirm: { action: 'accept', content: { confirm: true } } } };
        const other = await ask(2, { id: 'v2' }, { ...agreed, requestState: result.requestState });
        expect(other.result.resultType).toBe('input_required');
        expect((await ask(3, { id: 'v1' }, agreed)).result.resultType).toBe('input_required');
        const forged = await ask(4, { id: 'v1' }, { ...agreed, requestState: `${result.requestState}x` });
        expect(forged.error?.code).toBe(-32602);
        expect(api.asked).toEqual([]);
        const made = await ask(5, { id: 'v1' }, { ...agreed, requestState: result.requestState });
        expect(made.result.content[0].text).toBe('{"cancelled":"v1"}');
        expect(api.asked).toHaveLength(1);
      },
      '--confirm',
      'destructive',
    );
  });
});
