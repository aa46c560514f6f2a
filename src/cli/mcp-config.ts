// What to paste into the configuration of a client, so that it starts or reaches the server; never a secret.
import { resolve } from 'node:path';
import { Failure } from '../base/failure.js';
import { openConnections } from '../connection/open.js';
import { type ClientName, type McpFlags, SECRET_WAYS } from './mcp-flags.js';
import { printJson, remark } from './terminal.js';

const CLIENTS = {
  'claude-desktop': {
    file: 'claude_desktop_config.json',
    /** A client without placeholders: the person writes the value. */
    variable: (name: string) => `<the value of ${name}>`,
  },
  'claude-code': { file: '.mcp.json', variable: (name: string) => `\${${name}}` },
  cursor: { file: '.cursor/mcp.json', variable: (name: string) => `\${env:${name}}` },
  vscode: { file: '.vscode/mcp.json', variable: (name: string) => `\${input:${name}}` },
} as const satisfies { readonly [client in ClientName]: object };

/** Options whose value is a path or an address, which hold only where they were typed. */
const PATHS = new Set(['--overlay', '--token-file']);
/** Holds the address of a store that may hold a password. */
const STORE = 'TOOLWRIGHT_STORE';
/** Options that are for this printing alone. */
const OURS = new Set(['--print-config', '--name']);

/**
 * Prints the JSON of one client.
 * @throws Failure `bad-request`; those of the store of connections.
 */
export async function printConfig(
  client: ClientName,
  description: string | undefined,
  flags: McpFlags,
  args: readonly string[],
): Promise<void> {
  const { file, variable } = CLIENTS[client];
  const variables = flags.http === undefined ? await variablesOf(description, flags) : tokenVariables(flags);
  const values = Object.fromEntries(variables.map((name) => [name, variable(name)]));
  const entry =
    flags.http === undefined ? started(client, description, flags, args, values) : reached(client, flags, variable);
  const inputs = variables.map((id) => ({ type: 'promptString', id, description: id, password: true }));
  printJson(
    client === 'vscode'
      ? { ...(inputs.length > 0 ? { inputs } : {}), servers: { [flags.name]: entry } }
      : { mcpServers: { [flags.name]: entry } },
  );
  remark(`Paste it into ${file}.`, false);
  if (variables.includes(STORE)) {
    remark(`${STORE} has to be set for it to the address of the store, which may hold a password.`, false);
  }
}

/** A server that the client starts. */
function started(
  client: ClientName,
  description: string | undefined,
  flags: McpFlags,
  args: readonly string[],
  env: { readonly [name: string]: string },
): object {
  return {
    ...(client === 'vscode' ? { type: 'stdio' } : {}),
    command: 'npx',
    args: ['-y', 'toolwright', ...portable(description, flags, args)],
    ...(Object.keys(env).length > 0 ? { env } : {}),
  };
}

/** A server that runs elsewhere. */
function reached(client: ClientName, flags: McpFlags, variable: (name: string) => string): object {
  if (client === 'claude-desktop') {
    throw new Failure('bad-request', 'Claude Desktop starts the servers of its configuration itself; leave --http out');
  }
  const host = flags.host === '0.0.0.0' || flags.host === '::' ? (flags.allowHost[0] ?? 'localhost') : flags.host;
  const [name] = tokenVariables(flags);
  return {
    ...(client === 'cursor' ? {} : { type: 'http' }),
    url: `http://${host.includes(':') ? `[${host}]` : host}:${flags.http}/mcp`,
    ...(name === undefined ? {} : { headers: { Authorization: `Bearer ${variable(name)}` } }),
  };
}

/** The arguments as they were typed, with paths that hold anywhere. */
function portable(description: string | undefined, flags: McpFlags, args: readonly string[]): string[] {
  const portables: string[] = [];
  let stored = !fromStore(description, flags);
  for (let i = 0; i < args.length; i += 1) {
    const [, option = args[i] ?? '', joined] = /^(--[a-z-]+)=(.*)$/s.exec(args[i] ?? '') ?? [];
    const value = joined ?? args[i + 1] ?? '';
    const takesNext = joined === undefined;
    if (OURS.has(option) || option === '--store') {
      if (takesNext) i += 1;
      if (option === '--store') stored = pushStore(portables, flags.store);
    } else if (PATHS.has(option) && !isUrl(value)) {
      if (takesNext) i += 1;
      portables.push(option, resolve(value));
    } else
      portables.push(
        args[i] === description && !isUrl(description ?? '') ? resolve(description ?? '') : (args[i] ?? ''),
      );
  }
  if (!stored) pushStore(portables, flags.store);
  return portables;
}

/** An address that can hold no password, its path made one that holds anywhere. */
function pushStore(args: string[], store: string): true {
  const [, scheme, path = ''] = /^(file|sqlite):(.+)$/s.exec(store) ?? [];
  if (scheme !== undefined) args.push('--store', `${scheme}:${resolve(path)}`);
  return true;
}

/** Whether the store is read: for the tools, or for a connection of a description. */
function fromStore(description: string | undefined, { connection, group }: McpFlags): boolean {
  return description === undefined || connection !== undefined || group !== undefined;
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/** The variables that a started server reads: keys of connections, keys that seal, an address that may hold a password. */
async function variablesOf(description: string | undefined, flags: McpFlags): Promise<string[]> {
  const names = new Set<string>();
  if (flags.secret !== undefined)
    names.add((await import('./connections.js')).variableOf('--secret', flags.secret, SECRET_WAYS));
  if (fromStore(description, flags)) {
    if (/^postgres(?:ql)?:/.test(flags.store)) names.add(STORE);
    for (const { secret } of (await openConnections(flags.store).list()).connections) {
      names.add(secret.kind === 'env' ? secret.name : 'TOOLWRIGHT_SEAL_KEYS');
    }
  }
  return [...names];
}

function tokenVariables({ token, tokenFile }: McpFlags): string[] {
  const name = /^env:(\w+)$/.exec(token ?? '')?.[1];
  if (name !== undefined) return [name];
  return tokenFile === undefined ? [] : ['TOOLWRIGHT_TOKEN'];
}
