// The main job on the bundled clinic: preview, import, the next version of its description; then real calls behind a connection, and an agent's.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startClinic } from './clinic-server.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolwright-demo-'));
const env = { ...process.env };
delete env.TOOLWRIGHT_STORE;

function say(text) {
  console.log(`\n# ${text}`);
}

/** Runs the command line as a person would, and shows what was typed; an exit status that was not expected ends the demo. */
async function toolwright(args, expected = 0) {
  console.log(`$ toolwright ${args.map((arg) => (/[^\w./:=-]/.test(arg) ? `'${arg}'` : arg)).join(' ')}`);
  const paths = args.map((arg) => (arg.startsWith('fixtures/') ? join(root, arg) : arg));
  const child = spawn(process.execPath, [join(root, 'bin/toolwright.js'), ...paths], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
    process.stdout.write(text);
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  if (status !== expected) throw new Error(`toolwright ended with ${status}, and ${expected} was expected`);
  if (status !== 0) console.log(`(exit status ${status})`);
  return printed;
}

function expectText(text, part) {
  if (!text.includes(part)) throw new Error(`"${part}" is missing from what was printed`);
}

async function compileTools() {
  const server = 'https://api.clinic.example/v1';
  const chosen = ['listPatients', 'getPatient', 'createPatient', 'createVisit', 'cancelVisit', 'listRooms', 'getWard'];
  const take = (description, keys) => {
    const operations = keys.flatMap((key) => ['--operation', key]);
    return toolwright(['import', description, '--server', server, '--prefix', 'clinic_', ...operations]);
  };
  say('What could become a tool, and why the rest cannot.');
  const description = 'fixtures/clinic/description.json';
  expectText(await toolwright(['preview', description, '--prefix', 'clinic_', '--tag', 'visits']), 'importable');
  say('Take seven operations.');
  await take(description, chosen);
  say('Take them again: nothing changes.');
  expectText(await take(description, chosen), '0 created, 0 refreshed, 7 unchanged');
  say('A person renames one, fixes a parameter of it, and gives it more time.');
  const changes = ['--name', 'book_visit', '--fix', 'notify=true', '--deadline', '60'];
  await toolwright(['tools', 'set', 'clinic_createVisit', ...changes]);
  say('The API changed: what it owns is refreshed, what the person set is kept, what is gone is reported.');
  const still = chosen.filter((key) => key !== 'getWard');
  expectText(await take('fixtures/clinic-next/description.json', still), '1 missing');
  say('The store.');
  await toolwright(['tools', 'list']);
}

/** A real client of the protocol, as an agent has one: it starts the server, lists, calls, and is asked before something goes. */
async function serveTools(clinic) {
  env.CLINIC_KEY = 'second-key-of-the-clinic';
  const description = join(root, 'fixtures/clinic/description.json');
  const chosen = ['listRooms', 'getPatient', 'createVisit', 'deletePatient'].flatMap((key) => ['--operation', key]);
  const args = ['mcp', description, '--server', clinic.url, '--secret', 'env:CLINIC_KEY', ...chosen];
  const flags = ['--confirm', 'destructive', '--log-level', 'warning', '--allow-private', '127.0.0.1'];
  say('An agent has the tools over MCP, straight from the description: its client starts toolwright and lists them.');
  const client = new Client(
    { name: 'demo', version: '1' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => {
    console.log(`? ${params.message}`);
    return { action: 'decline' };
  });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'bin/toolwright.js'), ...args, ...flags],
    env,
  });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    for (const { name, title, annotations } of tools) {
      console.log(`${name}: ${title}${annotations.readOnlyHint === true ? ' (only reads)' : ''}`);
    }
    const call = async (name, values) => {
      console.log(`> ${name} ${JSON.stringify(values)}`);
      const { content, isError } = await client.callTool({ name, arguments: values });
      for (const { text } of content) console.log(isError === true ? `! ${text}` : text);
      return content.map(({ text }) => text).join('\n');
    };
    expectText(await call('listRooms', { floor: 2 }), '"number":12');
    expectText(
      await call('createVisit', { patient_id: 'p-1234567', notify: true, reason: 'a fever' }),
      '"reason":"a fever"',
    );
    expectText(await call('createVisit', { patient_id: 'p-1234567', notify: 'maybe' }), 'notify');
    say('What may destroy something is called when a person agrees; this one does not.');
    expectText(await call('deletePatient', { patient_id: 'p-1234567', reason: 'moved away' }), 'did not agree');
  } finally {
    await client.close();
  }
}

async function callTools() {
  const clinic = await startClinic('first-key-of-the-clinic');
  try {
    env.CLINIC_KEY = 'first-key-of-the-clinic';
    env.TOOLWRIGHT_STORE = 'file:calls.json';
    say(`A clinic answers on ${clinic.url}. Its key is in CLINIC_KEY, and a connection points there.`);
    const secret = ['--secret', 'env:CLINIC_KEY'];
    const added = await toolwright(['connections', 'add', '--header', 'X-Clinic-Key', ...secret, '--json']);
    const { id } = JSON.parse(added);
    say('Three operations of this server, called through it.');
    const keys = ['listRooms', 'getPatient', 'createVisit'].flatMap((key) => ['--operation', key]);
    const connected = ['--server', clinic.url, '--connection', id];
    await toolwright(['import', 'fixtures/clinic/description.json', ...connected, ...keys]);
    const call = (args, expected) => toolwright(['call', ...args, '--allow-private', '127.0.0.1'], expected);
    expectText(await call(['listRooms', 'floor=2']), '"number":12');
    expectText(await call(['createVisit', 'patient_id=p-1234567', 'notify=true', 'reason=a cough']), '201 Created');
    expectText(await call(['getPatient', 'patient_id=p-1234567']), '"reason":"a cough"');
    say('The clinic changes its key: the refusal breaks the connection, and the next call is not even sent.');
    clinic.changeKey('second-key-of-the-clinic');
    expectText(await call(['listRooms'], 4), '401 Unauthorized');
    await call(['listRooms'], 4);
    say('The new key heals it.');
    env.CLINIC_KEY = 'second-key-of-the-clinic';
    await toolwright(['connections', 'set', id, ...secret]);
    expectText(await call(['listRooms']), '200 OK');
    say('What was called, and what came of it.');
    await toolwright(['call', '--records']);
    delete env.TOOLWRIGHT_STORE;
    await serveTools(clinic);
  } finally {
    await clinic.close();
  }
}

if (!existsSync(join(root, 'dist/index.js'))) throw new Error('dist/ is missing; run npm ci');
try {
  await compileTools();
  await callTools();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
