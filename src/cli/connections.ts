// `toolwright connections`: list, add, set, remove. A secret comes from a variable, a file or the standard input alone.
import { readFile } from 'node:fs/promises';
import type { ConnectionView } from '../app/connection-record.js';
import {
  addConnection,
  type ConnectionOptions,
  type ConnectionUpdate,
  listConnections,
  removeConnection,
  type SecretSource,
  setConnection,
} from '../app/connections.js';
import { type AccountOptions, addAccount, renewConsent } from '../app/consent.js';
import { Failure } from '../base/failure.js';
import { FIXED_LIMITS } from '../base/limits.js';
import { count, quoted, visible } from '../base/text.js';
import type { Placement } from '../connection/connection.js';
import type { ConsentOptions } from '../connection/oauth-client.js';
import { openConnections } from '../connection/open.js';
import { sealer } from '../connection/seal.js';
import { openStore } from '../store/open.js';
import type { ProviderName } from '../tool/provider.js';
import { closing } from './closing.js';
import type { StoreFlags } from './options.js';
import { print, printJson, remark, table } from './terminal.js';

interface SecretFlags extends StoreFlags {
  readonly secret?: string;
  readonly secretFile?: string;
  readonly secretStdin?: boolean;
}

/** What has to do with an account that a person consents to. */
interface ConsentFlags {
  readonly consent?: boolean;
  readonly scope: readonly string[];
  /** false: --no-browser. */
  readonly browser: boolean;
  readonly allowPrivate: readonly string[];
}

export interface PlacementFlags {
  readonly placement?: Placement['placement'];
  readonly header?: string;
  readonly prefix?: string;
  readonly parameter?: string;
}

interface AddFlags extends SecretFlags, ConsentFlags, PlacementFlags {
  readonly provider: 'http_key' | ProviderName;
  readonly group?: string;
}

interface SetFlags extends SecretFlags, ConsentFlags {
  readonly reseal?: boolean;
  /** false: --no-group. */
  readonly group?: string | false;
}

interface RemoveFlags extends StoreFlags {
  readonly force?: boolean;
  readonly allowPrivate: readonly string[];
}

/** Where the consent screens are: those of the table, unless a test says otherwise. */
type Elsewhere = Pick<ConsentOptions, 'providers'>;

function withKeys<T>(flags: StoreFlags, work: (options: ConnectionOptions) => Promise<T>): Promise<T> {
  return closing(openConnections(flags.store), (connections) => work({ connections, sealer: sealer() }));
}

function withAccounts<T>(
  flags: StoreFlags & ConsentFlags,
  elsewhere: Elsewhere,
  work: (options: AccountOptions) => Promise<T>,
): Promise<T> {
  const screen = { network: { allow: flags.allowPrivate }, show: (url: string) => showConsent(url, flags.browser) };
  return withKeys(flags, (options) => work({ ...options, ...elsewhere, ...screen }));
}

export async function runAdd(flags: AddFlags, elsewhere: Elsewhere = {}): Promise<void> {
  const group = flags.group === undefined ? {} : { group: flags.group };
  if (flags.provider !== 'http_key') {
    const { provider, scope } = flags;
    forbid(flags, [...SECRET_FLAGS, ...PLACEMENT_FLAGS], `--provider ${provider}`);
    if (flags.consent !== true) throw new Failure('bad-request', `an account of ${provider} is added with --consent`);
    const request = { provider, scopes: scope, ...group };
    report(await withAccounts(flags, elsewhere, (options) => addAccount(request, options)), flags, 'is added');
    return;
  }
  forbid(flags, CONSENT_FLAGS, '--provider http_key');
  const placement = placementOf(flags);
  const secret = await sourceOf(flags);
  if (secret === undefined) {
    throw new Failure(
      'bad-request',
      'no secret is given; --secret env:NAME, --secret-file and --secret-stdin are the ways',
    );
  }
  const request = { provider: 'http_key', placement, secret, ...group } as const;
  report(await withKeys(flags, (options) => addConnection(request, options)), flags, 'is added');
}

export async function runSet(id: string, flags: SetFlags, elsewhere: Elsewhere = {}): Promise<void> {
  const group = flags.group === undefined ? {} : { group: flags.group === false ? null : flags.group };
  if (flags.consent === true) {
    forbid(flags, [...SECRET_FLAGS, 'reseal'], '--consent');
    const update = { scopes: flags.scope, ...group };
    report(await withAccounts(flags, elsewhere, (options) => renewConsent(id, update, options)), flags, 'is set');
    return;
  }
  if (flags.scope.length > 0) throw new Failure('bad-request', '--scope is asked for with --consent');
  const secret = await sourceOf(flags);
  const update: ConnectionUpdate = {
    ...(secret === undefined ? {} : { secret }),
    ...(flags.reseal === true ? { reseal: true } : {}),
    ...group,
  };
  report(await withKeys(flags, (options) => setConnection(id, update, options)), flags, 'is set');
}

const SECRET_FLAGS = ['secret', 'secretFile', 'secretStdin'] as const;
const PLACEMENT_FLAGS = ['placement', 'header', 'prefix', 'parameter'] as const;
const CONSENT_FLAGS = ['consent', 'scope'] as const;

/** What is given and does nothing there is a mistake. */
function forbid<F extends object>(flags: F, names: readonly (keyof F & string)[], where: string): void {
  const stray = names.find((name) => {
    const value: unknown = flags[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
  const written = stray?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (written !== undefined) throw new Failure('bad-request', `--${written} does not go with ${where}`);
}

/** Whatever is quiet, without the address there is no consent. */
async function showConsent(url: string, browser: boolean): Promise<void> {
  process.stderr.write(`Consent in a browser on this machine:\n${url}\n`);
  if (browser && process.stderr.isTTY === true) await (await import('./browser.js')).openBrowser(url);
}

export async function runList(flags: StoreFlags): Promise<void> {
  const { connections, address } = await closing(openConnections(flags.store), async (store) => ({
    connections: await listConnections(store),
    address: store.address,
  }));
  if (flags.json === true) printJson(connections);
  else if (connections.length === 0) print(`No connections in ${address}.`);
  else {
    const rows = connections.map((one) => {
      return [one.id, one.status, placed(one), one.secret, visible(one.group ?? '', 80), whyOf(one)];
    });
    print(table([['CONNECTION', 'STATUS', 'PLACEMENT', 'SECRET', 'GROUP', 'REASON'], ...rows]));
  }
}

export async function runRemove(id: string, flags: RemoveFlags, elsewhere: Elsewhere = {}): Promise<void> {
  const options = { ...elsewhere, force: flags.force === true, network: { allow: flags.allowPrivate } };
  const removed = await closing(await openStore(flags.store), (tools) =>
    closing(openConnections(flags.store), (connections) => removeConnection(id, { ...options, connections, tools })),
  );
  if (flags.json === true) printJson(removed);
  else print(`- ${removed.id}`);
  warn(removed, flags);
}

function report(connection: ConnectionView, flags: StoreFlags, what: string): void {
  if (flags.json === true) printJson(connection);
  else print(`${connection.id} ${what}; it is ${connection.status}.`);
  warn(connection, flags);
}

function warn({ warnings = [] }: ConnectionView, { quiet = false }: StoreFlags): void {
  for (const warning of warnings) remark(`warning: ${warning}`, quiet);
}

/** Where a key goes, or whose account it is. */
function placed(connection: ConnectionView): string {
  if (connection.provider !== 'http_key') {
    const { provider, scopes } = connection;
    return `${provider}, ${count(scopes.length)} ${scopes.length === 1 ? 'scope' : 'scopes'}`;
  }
  const { header, parameter } = { header: '', parameter: '', ...connection };
  return visible(`${connection.placement} ${header}${parameter}`.trim(), 60);
}

function whyOf({ reason, broken_by }: ConnectionView): string {
  return [reason === undefined ? '' : visible(reason, 80), broken_by === undefined ? '' : `(met by ${broken_by})`]
    .filter((part) => part !== '')
    .join(' ');
}

/** What each placement needs, and nothing of another. */
export function placementOf({ placement = 'header', header, prefix, parameter }: PlacementFlags): Placement {
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
  return secret === undefined ? undefined : { env: variableOf('--secret', secret) };
}

/** The variable that `env:NAME` names; `ways`: how else the secret is given. */
export function variableOf(flag: '--secret' | '--token', reference: string, ways: string = WAYS[flag]): string {
  const name = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(reference)?.[1];
  if (name !== undefined) return name;
  // What stands there may be the secret itself.
  throw new Failure('bad-request', `${flag} takes env:NAME only; a secret itself comes with ${ways}`);
}

/** How a secret itself is given in the place of the name of a variable. */
const WAYS = { '--secret': '--secret-file or --secret-stdin', '--token': '--token-file' } as const;

/** A secret from a file, without its last line end. */
export async function fromFile(path: string): Promise<string> {
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
