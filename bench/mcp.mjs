// Measures the MCP server: lists of 1,000 tools, 200 calls at once for MCP_BENCH_SECONDS (20), and how soon the first list is there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { fileStore } from '../dist/index.js';

const SECONDS = Number(process.env.MCP_BENCH_SECONDS ?? 20);
const AT_ONCE = 200;
const STARTS = 15;
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

const api = spawn(process.execPath, [here('child-server.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
const origin = `http://127.0.0.1:${Number(String((await once(api.stdout, 'data'))[0]))}`;
const folder = mkdtempSync(join(tmpdir(), 'toolwright-bench-'));

function tool(i) {
  return {
    id: `tool_${String(i).padStart(24, '0')}`,
    name: `update_visit_${i}`,
    description: 'Changes a visit: its title, its room and the minutes it takes. Answers the visit as it is now.',
    input_schema: {
      type: 'object',
      additionalProperties: false,
      required: ['visit_id', 'title'],
      properties: {
        visit_id: { type: 'string', pattern: '^v[0-9]+$', maxLength: 40, description: 'The id of the visit.' },
        notify: { type: 'boolean', description: 'Whether the patient is told.' },
        title: { type: 'string', maxLength: 200 },
        minutes: { type: 'integer', minimum: 5, maximum: 480 },
        room: { type: 'object', additionalProperties: false, properties: { name: { type: 'string' } } },
      },
    },
    config: {
      endpoint: `${origin}/v1/visits/{visit_id}`,
      method: 'PUT',
      locations: { notify: 'query', title: 'body', minutes: 'body', room: 'body' },
      body: { content_type: 'application/json', required: true },
    },
    fixed_parameters: {},
    deadline_seconds: 30,
  };
}

async function storeOf(count) {
  const path = join(folder, `${count}.json`);
  const store = fileStore(path);
  await store.commit(
    { put: Array.from({ length: count }, (_, i) => tool(i)), remove: [] },
    (await store.read()).revision,
  );
  return ['--store', `file:${path}`, '--max-tools', '10000', '--allow-private', '127.0.0.1', '--log-level', 'info'];
}

async function serve(args) {
  const child = spawn(process.execPath, ['--expose-gc', here('child-mcp.mjs'), ...args, '--http', '0'], {
    stdio: ['pipe', 'inherit', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  const find = async (pattern) => {
    for (;;) {
      const found = pattern.exec(said);
      if (found !== null) return found;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const [, url] = await find(/listening on (\S+)/);
  const memory = async () => {
    said = '';
    child.stdin.write('\n');
    const [, rss, heap] = await find(/memory (\d+) (\d+)/);
    return { rss: Number(rss) / 2 ** 20, heap: Number(heap) / 2 ** 20 };
  };
  return { url, memory, stop: () => child.kill('SIGTERM') };
}

async function client(url, revision) {
  const options =
    revision === '2026-07-28'
      ? { versionNegotiation: { mode: { pin: revision } } }
      : { supportedProtocolVersions: [revision] };
  const one = new Client({ name: 'bench', version: '1' }, options);
  await one.connect(new StreamableHTTPClientTransport(new URL(url)));
  return one;
}

const sorted = (values) => [...values].sort((a, b) => a - b);
const percentile = (values, part) => sorted(values)[Math.min(values.length - 1, Math.floor(values.length * part))];
const shown = (milliseconds) => `${milliseconds.toFixed(1)} ms`;

/** Raw requests: what is measured is the server, not how a client checks 1,000 schemas. */
async function lists(url, headers, params) {
  const times = [];
  let bytes = 0;
  for (let i = 0; i < 250; i += 1) {
    const began = performance.now();
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: i, method: 'tools/list', params }),
    });
    const text = await response.text();
    if (i >= 50) times.push(performance.now() - began);
    bytes = text.length;
  }
  return `p50 ${shown(percentile(times, 0.5))}, p95 ${shown(percentile(times, 0.95))} (${Math.round(bytes / 1024)} KiB, ${times.length} lists)`;
}

async function listBench() {
  const server = await serve(await storeOf(1_000));
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  console.log(`1,000 tools, 2026-07-28: ${await lists(server.url, modern, { _meta: meta })}; at most 50 ms`);
  const begun = await fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
    }),
  });
  await begun.text();
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id'), 'mcp-protocol-version': '2025-11-25' };
  console.log(`1,000 tools, 2025-11-25: ${await lists(server.url, session, {})}; at most 50 ms`);
  server.stop();
}

async function callBench() {
  const server = await serve(await storeOf(50));
  const clients = await Promise.all(['2025-11-25', '2026-07-28'].map((revision) => client(server.url, revision)));
  const counts = { calls: 0, lost: new Map() };
  let until = performance.now() + 3_000;
  const caller = async (i) => {
    const one = clients[i % clients.length];
    for (let n = 0; performance.now() < until; n += 1) {
      const args = { visit_id: `v${n}`, title: `visit ${n} of ${i}`, minutes: 30 };
      const answer = await one
        .callTool({ name: `update_visit_${(i + n) % 50}`, arguments: args })
        .catch((error) => error);
      counts.calls += 1;
      if (answer.isError === undefined && answer.content?.[0]?.type === 'text') continue;
      const why = answer instanceof Error ? answer.message : String(answer.content?.[0]?.text);
      counts.lost.set(why, (counts.lost.get(why) ?? 0) + 1);
    }
  };
  const round = async (seconds) => {
    until = performance.now() + seconds * 1_000;
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => caller(i)));
  };
  await round(3);
  counts.calls = 0;
  const memory = [await server.memory()];
  const parts = 5;
  for (let part = 0; part < parts; part += 1) {
    await round(SECONDS / parts);
    memory.push(await server.memory());
  }
  const line = (key) => memory.map((one) => one[key].toFixed(0)).join(', ');
  console.log(
    `${AT_ONCE} calls at once for ${SECONDS} s: ${counts.calls} calls (${Math.round(counts.calls / SECONDS)} a second), ${[...counts.lost.values()].reduce((sum, n) => sum + n, 0)} lost`,
  );
  for (const [why, n] of counts.lost) console.log(`  lost ${n}: ${why.slice(0, 200)}`);
  console.log(`  MiB in use after each fifth: ${line('heap')}; resident: ${line('rss')}`);
  for (const one of clients) await one.close();
  server.stop();
}

/** Milliseconds from the start of a process to its end, or to the answer of a list. */
function started(args, asks) {
  return new Promise((resolve) => {
    const began = performance.now();
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    if (!asks) {
      child.once('exit', () => resolve(performance.now() - began));
      return;
    }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    ];
    child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part) => {
      text += part;
      if (!text.includes('"id":2') || !text.endsWith('\n')) return;
      resolve(performance.now() - began);
      child.kill('SIGKILL');
    });
  });
}

async function startBench() {
  const store = await storeOf(50);
  const [bare, list] = [[], []];
  for (let i = 0; i < STARTS; i += 1) {
    bare.push(await started(['-e', '0'], false));
    list.push(await started([here('../bin/toolwright.js'), 'mcp', ...store], true));
  }
  const [node, first] = [percentile(bare, 0.5), percentile(list, 0.5)];
  console.log(
    `start to the first list of 50 tools: ${shown(first)}, ${(first / node).toFixed(1)} times \`node -e 0\` (${shown(node)}); at most 3`,
  );
}

try {
  await startBench();
  await listBench();
  await callBench();
} finally {
  api.kill();
  rmSync(folder, { recursive: true, force: true });
}
