// Resolvers that answer as an attacker or a broken network would, through a call and through the fetch of a description.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.js';
import { callTool, createTool, memoryStore, preview } from '../../src/index.js';
import type { Lookup } from '../../src/wire/exchange.js';
import { type Loopback, serve, sink } from '../wire/loopback.js';
import { type Watch, watchConnections } from './watch.js';

/** What one look-up comes to. */
type Answer = readonly string[] | Error | 'hangs';

interface Row {
  readonly name: string;
  /** One for each look-up; the last for all after it. */
  readonly answers: readonly Answer[];
  /** `passed`: a connection was begun, to the addresses of the first answer and no others. */
  readonly outcome: 'refused' | 'passed' | 'not found' | 'timeout';
  /** Of a call with two attempts, where the second one ends otherwise. */
  readonly call?: Row['outcome'];
  /** How many look-ups a call of two attempts makes; 1 by default. A fetch makes one. */
  readonly asked?: number;
}

const PUBLIC = ['8.8.8.8'];
const failing = (code: string) => Object.assign(new Error('scripted'), { code });
const many = (number: number) => Array.from({ length: number }, (_, i) => `9.9.${i % 256}.1`);

const ROWS: readonly Row[] = [
  { name: 'a private address', answers: [['10.0.0.1']], outcome: 'refused' },
  { name: 'this machine', answers: [['127.0.0.1']], outcome: 'refused' },
  { name: 'the metadata service', answers: [['169.254.169.254']], outcome: 'refused' },
  {
    name: 'the end of a chain of CNAMEs that is inside',
    answers: [['192.168.0.1', '192.168.0.2']],
    outcome: 'refused',
  },
  { name: 'public, then private', answers: [['8.8.8.8', '10.0.0.1']], outcome: 'refused' },
  { name: 'private, then public', answers: [['10.0.0.1', '8.8.8.8']], outcome: 'refused' },
  { name: 'AAAA private, A public', answers: [['fd00::1', '8.8.8.8']], outcome: 'refused' },
  { name: 'AAAA loopback, A public', answers: [['8.8.8.8', '::1']], outcome: 'refused' },
  { name: 'A private, AAAA public', answers: [['10.0.0.1', '2606:4700:4700::1111']], outcome: 'refused' },
  { name: 'AAAA that is IPv4 mapped', answers: [['::ffff:127.0.0.1']], outcome: 'refused' },
  { name: 'AAAA of NAT64', answers: [['64:ff9b::a9fe:a9fe']], outcome: 'refused' },
  { name: 'link-local with its zone', answers: [['fe80::1%eth0']], outcome: 'refused' },
  { name: '60 records, the last inside', answers: [[...many(59), '127.0.0.1']], outcome: 'refused' },
  { name: 'a name instead of an address', answers: [['localhost']], outcome: 'refused' },
  { name: 'an empty text', answers: [['']], outcome: 'refused' },
  { name: 'an address with a space', answers: [['8.8.8.8 ']], outcome: 'refused' },
  { name: 'an address in a short spelling', answers: [['127.1']], outcome: 'refused' },
  { name: 'an address as a number', answers: [['2130706433']], outcome: 'refused' },
  { name: 'bytes that are no text', answers: [['\0\ufffd8.8.8.8\r\n']], outcome: 'refused' },
  { name: 'nothing', answers: [[]], outcome: 'not found' },
  { name: 'NXDOMAIN', answers: [failing('ENOTFOUND')], outcome: 'not found' },
  { name: 'a failure of the server, twice', answers: [failing('EAI_AGAIN')], outcome: 'not found', asked: 2 },
  { name: 'no answer at all', answers: ['hangs'], outcome: 'timeout' },
  { name: 'a public address', answers: [PUBLIC], outcome: 'passed', asked: 2 },
  { name: '60 public records', answers: [many(60)], outcome: 'passed', asked: 2 },
  { name: 'both families, public', answers: [['2606:4700:4700::1111', '1.1.1.1']], outcome: 'passed', asked: 2 },
  { name: 'private, then public at the next look-up', answers: [['10.0.0.1'], PUBLIC], outcome: 'refused' },
  {
    name: 'public, then private at the next look-up',
    answers: [PUBLIC, ['127.0.0.1']],
    outcome: 'passed',
    call: 'refused',
    asked: 2,
  },
  {
    name: 'public, then mixed at the next look-up',
    answers: [PUBLIC, ['8.8.8.8', '127.0.0.1']],
    outcome: 'passed',
    call: 'refused',
    asked: 2,
  },
  {
    name: 'a failure, then private at the next look-up',
    answers: [failing('EAI_AGAIN'), ['127.0.0.1']],
    outcome: 'not found',
    call: 'refused',
    asked: 2,
  },
  {
    name: 'another public one each time (TTL 0)',
    answers: [PUBLIC, ['9.9.9.9'], ['127.0.0.1']],
    outcome: 'passed',
    asked: 2,
  },
];

let inside: Loopback;
let watch: Watch;
let checks = 0;
beforeAll(async () => {
  inside = await sink();
  watch = watchConnections();
});
beforeEach(() => watch.reset('block'));
afterAll(async () => {
  watch.end();
  console.log(`dns: ${ROWS.length} answers, ${checks} checks by call and fetch, ${inside.sockets()} sockets`);
  await inside.close();
});

/** Counts how often it is asked. */
function scripted(answers: readonly Answer[]): { readonly lookup: Lookup; readonly asked: () => number } {
  let asked = 0;
  const lookup: Lookup = async () => {
    asked += 1;
    const answer = answers[Math.min(asked, answers.length) - 1] ?? [];
    if (answer instanceof Error) throw answer;
    return answer === 'hangs' ? new Promise(() => {}) : answer;
  };
  return { lookup, asked: () => asked };
}

const url = () => `http://api.example.com:${inside.port}/v1`;

async function called(lookup: Lookup): Promise<Row['outcome']> {
  const tool = await createTool(memoryStore(), {
    name: 'a',
    input_schema: { type: 'object', properties: {} },
    config: { endpoint: url(), method: 'GET', attempts: 2 },
    deadline_seconds: 1,
  });
  const result = await callTool({ tool, arguments: {} }, { network: { lookup } });
  if (result.kind !== 'unreachable') return result.kind as Row['outcome'];
  return result.reason.includes('refused the connection') ? 'passed' : 'not found';
}

async function fetched(lookup: Lookup): Promise<Row['outcome']> {
  const failure = await preview({ url: url() }, { network: { lookup }, limits: { fetch_seconds: 1 } }).catch((e) => e);
  expect(failure).toBeInstanceOf(Failure);
  const { code, data } = failure as Failure;
  if (code === 'address-refused') return 'refused';
  if (code === 'fetch-timeout') return 'timeout';
  return data.reason === 'ECONNREFUSED' ? 'passed' : 'not found';
}

describe.each(ROWS)('$name', ({ answers, outcome, call = outcome, asked: wanted = 1 }) => {
  /** What was connected to is what was answered at that very look-up. */
  function connected(outcomes: readonly Row['outcome'][]): void {
    const expected = answers.filter((answer): answer is readonly string[] => Array.isArray(answer));
    const times = outcomes.filter((one) => one === 'passed').length;
    expect(watch.pinned).toEqual(Array.from({ length: times }, (_, i) => expected[Math.min(i, expected.length - 1)]));
    expect(inside.sockets()).toBe(0);
    checks += 1;
  }

  it('at a call', async () => {
    const { lookup, asked } = scripted(answers);
    expect(await called(lookup)).toBe(call);
    expect(asked()).toBe(wanted);
    connected(wanted === 2 ? [outcome, call] : [outcome]);
  });

  it('at a fetch', async () => {
    const { lookup, asked } = scripted(answers);
    expect(await fetched(lookup)).toBe(outcome);
    expect(asked()).toBe(1);
    connected([outcome]);
  });
});

describe('a socket that a call left open', () => {
  async function calls(answers: readonly Answer[], allows: readonly (readonly string[])[]) {
    watch.reset('connect');
    const here = await serve((_request, response) => response.end('here'));
    const there = await serve((_request, response) => response.end('there'), '127.0.0.2', here.port);
    const tool = await createTool(memoryStore(), {
      name: 'a',
      input_schema: { type: 'object', properties: {} },
      config: { endpoint: `http://api.example.com:${here.port}/`, method: 'GET', attempts: 1 },
    });
    const { lookup } = scripted(answers);
    const seen: string[] = [];
    for (const allow of allows) {
      const result = await callTool({ tool, arguments: {} }, { network: { lookup, allow } });
      seen.push(result.kind === 'answer' && result.body.kind === 'text' ? result.body.text : result.kind);
      checks += 1;
    }
    const sockets = [here.sockets(), there.sockets()];
    for (const server of [here, there]) await server.close();
    return { seen, sockets };
  }
  const allow = ['api.example.com'];

  it('is used again while the name stays', async () => {
    const done = await calls([['127.0.0.1']], [allow, allow, allow]);
    expect(done).toEqual({ seen: ['here', 'here', 'here'], sockets: [1, 0] });
  });

  it('is not used after the name turned elsewhere', async () => {
    const done = await calls([['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']], [allow, allow, allow]);
    expect(done).toEqual({ seen: ['here', 'there', 'there'], sockets: [1, 1] });
  });

  it('does not save a call whose name is inside by now', async () => {
    const done = await calls([['127.0.0.1'], ['127.0.0.1'], [], ['127.0.0.1']], [allow, [], allow, allow]);
    expect(done).toEqual({ seen: ['here', 'refused', 'unreachable', 'here'], sockets: [1, 0] });
  });
});
