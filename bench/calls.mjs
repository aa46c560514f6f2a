// Measures calls of a tool against bare undici: the same bytes to the same loopback server, in turn; then memory over many calls.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { callTool, memoryConnections, memoryRecords } from '../dist/index.js';

const ROUNDS = 11;
const ROUND_CALLS = 1_000;
const WARM_UP = 4_000;
const MANY = 10_000;
const SECRET = 'bench-0123456789abcdef';

const server = spawn(process.execPath, [fileURLToPath(new URL('child-server.mjs', import.meta.url))], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const origin = `http://127.0.0.1:${Number(String((await once(server.stdout, 'data'))[0]))}`;

const tool = {
  id: `tool_${'0'.repeat(24)}`,
  name: 'update_visit',
  description: 'Changes a visit.',
  input_schema: {
    type: 'object',
    additionalProperties: false,
    required: ['visit_id', 'title'],
    properties: {
      visit_id: { type: 'string', pattern: '^v[0-9]+$', maxLength: 40 },
      notify: { type: 'boolean' },
      fields: { type: 'array', items: { type: 'string', enum: ['title', 'room', 'notes'] } },
      title: { type: 'string', maxLength: 200 },
      minutes: { type: 'integer', minimum: 5, maximum: 480 },
      room: { type: 'object', additionalProperties: false, properties: { name: { type: 'string' } } },
    },
  },
  config: {
    endpoint: `${origin}/v1/visits/{visit_id}`,
    method: 'PUT',
    locations: { notify: 'query', fields: 'query', title: 'body', minutes: 'body', room: 'body' },
    body: { content_type: 'application/json', required: true },
  },
  fixed_parameters: {},
  deadline_seconds: 30,
  connection_id: `conn_${'0'.repeat(24)}`,
};
const connection = {
  id: tool.connection_id,
  provider: 'http_key',
  placement: 'header',
  header: 'X-Api-Key',
  secret: { kind: 'env', name: 'BENCH_KEY' },
  status: 'healthy',
  order: 1,
};
const args = {
  visit_id: 'v1042',
  notify: true,
  fields: ['title', 'room'],
  title: 'Check of the left eye',
  minutes: 30,
  room: { name: 'Blue' },
};

process.env.BENCH_KEY = SECRET;
const connections = memoryConnections();
await connections.commit({ put: [connection], remove: [] }, (await connections.list()).revision);
const records = memoryRecords();
const options = { connections, records, network: { allow: ['127.0.0.1'] } };
const agent = new Agent();

async function throughTool() {
  const result = await callTool({ tool, arguments: args }, options);
  if (result.kind !== 'answer' || result.body.kind !== 'json') throw new Error(JSON.stringify(result));
}

async function bare() {
  const { statusCode, body } = await request(`${origin}/v1/visits/v1042?notify=true&fields=title&fields=room`, {
    method: 'PUT',
    dispatcher: agent,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/*;q=0.9, */*;q=0.8',
      'Accept-Encoding': 'gzip, deflate, br',
      'User-Agent': 'toolwright',
      'Idempotency-Key': '00000000-0000-4000-8000-000000000000',
      'X-Api-Key': SECRET,
    },
    body: '{"title":"Check of the left eye","minutes":30,"room":{"name":"Blue"}}',
  });
  if (statusCode !== 200 || (await body.json()).ok !== true) throw new Error(`${statusCode}`);
}

/** Calls per second, `width` of them at a time, and the microseconds of processor time that each takes in this process. */
async function measure(work, width) {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const lane = async () => {
    for (let i = 0; i < ROUND_CALLS / width; i += 1) await work();
  };
  await Promise.all(Array.from({ length: width }, lane));
  const { user, system } = process.cpuUsage(cpu);
  return { rate: (ROUND_CALLS / (performance.now() - start)) * 1000, cpu: (user + system) / ROUND_CALLS };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

for (let i = 0; i < WARM_UP; i += 1) {
  await throughTool();
  await bare();
}
for (const width of [1, 20]) {
  const tools = [];
  const bares = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bares.push(await measure(bare, width));
    tools.push(await measure(throughTool, width));
  }
  const middle = (list, what) => median(list.map((one) => one[what])).toFixed(0);
  const ratio = median(tools.map(({ rate }, i) => rate / bares[i].rate));
  console.log(
    `${width} at a time: ${middle(tools, 'rate')} calls/s, bare undici ${middle(bares, 'rate')}, ratio ${ratio.toFixed(2)}` +
      ` (processor: ${middle(tools, 'cpu')} us a call, bare ${middle(bares, 'cpu')})`,
  );
}

function memory() {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed / 1e6, rss: rss / 1e6 };
}

const before = memory();
for (let i = 0; i < MANY; i += 1) await throughTool();
const after = memory();
const collected = globalThis.gc === undefined ? ' (run with --expose-gc for numbers that mean something)' : '';
for (const what of ['heap', 'rss']) {
  console.log(`${what} over ${MANY} calls: ${before[what].toFixed(1)} MB -> ${after[what].toFixed(1)} MB${collected}`);
}
await agent.close();
server.kill();
