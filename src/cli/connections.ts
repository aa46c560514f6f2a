// `toolwright connections`: list, add, set, remove. A secret comes from a variable, a file or the standard input alone.
import { readFile } from 'node:fs/promises';
import {
  addConnection,
  type ConnectionOptions,
  type ConnectionUpdate,
  type ConnectionView,
  listConnections,
  removeConnection,
  type SecretSource,
  setConnection,
} from '../app/connections.js';
import { Failure } from '../base/failure.js';
import { FIXED_LIMITS } from '../base/limits.js';
import { count, quoted, visible } from '../base/text.js';
import type { Placement } from '../connection/connection.js';
import { openConnections } from '../connection/open.js';
import { sealer } from '../connection/seal.js';
import { openStore } from '../store/open.js';
import type { StoreFlags } from './options.js';
import { print, printJson, remark, table } from './terminal.js';

interface SecretFlags extends StoreFlags {
  readonly secret?: string;
  readonly secretFile?: string;
  readonly secretStdin?: boolean;
}

interface AddFlags extends SecretFlags {
  readonly provider: 'http_key';
  readonly placement: Placement['placement'];
  readonly header?: string;
  readonly prefix?: string;
  readonly parameter?: string;
  readonly group?: string;
}

interface SetFlags extends SecretFlags {
  /** false: --no-group. */
  readonly group?: string | false;
}

interface RemoveFlags extends StoreFlags {
  readonly force?: boolean;
}

function optionsOf(flags: StoreFlags): ConnectionOptions {
  return { connections: openConnections(flags.store), sealer: sealer() };
}

export async function runAdd(flags: AddFlags): Promise<void> {
  const placement = placementOf(flags);
  const secret = await sourceOf(flags);
  if (secret === undefined) {
    throw new Failure(
      'bad-request',
      'no secret is given; --secret env:NAME, --secret-file and --secret-stdin are the ways',
    );
  }
  const group = flags.group === undefined ? {} : { group: flags.group };
  report(
    await addConnection({ provider: flags.provider, placement, secret, ...group }, optionsOf(flags)),
    flags,
    'is added',
  );
}

export async function runSet(id: string, flags: SetFlags): Promise<void> {
  const secret = await sourceOf(flags);
  const update: ConnectionUpdate = {
    ...(secret === undefined ? {} : { secret }),
    ...(flags.group === undefined ? {} : { group: flags.group === false ? null : flags.group }),
  };
  report(await setConnection(id, update, optionsOf(flags)), flags, 'is set');
}

export async function runList(flags: StoreFlags): Promise<void> {
  const connections = await listConnections(openConnections(flags.store));
  if (flags.json === true) printJson(connections);
  else if (connections.length === 0) print(`No connections beside ${flags.store}.`);
  else {
    const rows = connections.map((one) => [one.id, one.status, placed(one), one.secret, one.group ?? '', whyOf(one)]);
    print(table([['CONNECTION', 'STATUS', 'PLACEMENT', 'SECRET', 'GROUP', 'REASON'], ...rows]));
  }
}

export async function runRemove(id: string, flags: RemoveFlags): Promise<void> {
  const tools = await openStore(flags.store);
  try {
    const connections = openConnections(flags.store);
    const removed = await removeConnection(id, { connections, tools, force: flags.force === true });
    if (flags.json === true) printJson(removed);
    else print(`- ${removed.id}`);
  } finally {
    await tools.close();
  }
}

function report(connection: ConnectionView, flags: StoreFlags, what: string): void {
  if (flags.json === true) printJson(connection);
  else print(`${connection.id} ${what}; it is ${connection.status}.`);
  for (const warning of connection.warnings ?? []) remark(`warning: ${warning}`, flags.quiet === true);
}

function placed({ placement, header, parameter }: ConnectionView): string {
  return visible([placement, header ?? parameter ?? ''].join(' ').trim(), 60);
}

function whyOf({ reason, broken_by }: ConnectionView): string {
  return [reason === undefined ? '' : visible(reason, 80), broken_by === undefined ? '' : `(met by ${broken_by})`]
    .filter((part) => part !== '')
    .join(' ');
}

/** What each placement needs, and nothing of another. */
function placementOf({ placement, header, prefix, parameter }: AddFlags): Placement {
  const allowed = { header: ['header', 'prefix'], query: ['parameter'], basic: [] as string[] }[placement];
  const given = Object.entries({ header, prefix, parameter }).filter(([, value]) => value !== undefined);
  const stray = given.find(([name]) => !allowed.includes(name))?.[0];
  if (stray !== undefined) throw new Failure('bad-request', `--${stray} does not go with --placement ${placement}`);
  if (placement === 'basic') return { placement };
  if (placement === 'query') return { placement, parameter: needed(parameter, '--parameter', placement) };
  return { placement, header: needed(header, '--header', placement), ...(prefix === undefined ? {} : { prefix }) };
}

function needed(value: string | undefined, flag: string, placement: string): string {
  if (value !== undefined) return value;
  throw new Failure('bad-request', `--placement ${placement} needs ${flag}`);
}

async function sourceOf({ secret, secretFile, secretStdin }: SecretFlags): Promise<SecretSource | undefined> {
  const ways = [secret, secretFile, secretStdin].filter((way) => way !== undefined);
  if (ways.length > 1) throw new Failure('bad-request', 'the secret is given in more than one way');
  if (secretFile !== undefined) return { text: await fromFile(secretFile) };
  if (secretStdin === true) return { text: await fromInput() };
  if (secret === undefined) return undefined;
  const name = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(secret)?.[1];
  // What stands there may be the secret itself.
  if (name === undefined) {
    const ways = '--secret takes env:NAME only; a secret itself comes with --secret-file or --secret-stdin';
    throw new Failure('bad-request', ways);
  }
  return { env: name };
}

async function fromFile(path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new Failure('source-unreadable', `the file ${quoted(path, 120)} could not be read (${cause.code})`);
  });
  return lineOf(bytes);
}

async function fromInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > MOST_BYTES) break;
  }
  return lineOf(Buffer.concat(chunks));
}

const MOST_BYTES = FIXED_LIMITS.secret_chars * 4;

/** An editor ends the last line; that is no part of the secret. */
function lineOf(bytes: Buffer): string {
  if (bytes.length > MOST_BYTES) {
    throw new Failure('invalid-secret', `the secret is longer than ${count(FIXED_LIMITS.secret_chars)} characters`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
  } catch {
    throw new Failure('invalid-secret', 'the secret is not UTF-8 text');
  }
}
