// The text of stored connections: the same connections give the same bytes; what is not ours is refused.
import { isObject } from '../base/json.js';
import { allFaults, decodeRecords, encodeRecords, type Format } from '../store/format.js';
import {
  type Check,
  type Fault,
  filledText,
  oneOf,
  optional,
  recordOf,
  rule,
  text,
  wholeNumber,
} from '../store/record.js';
import { PROVIDER_NAMES } from '../tool/provider.js';
import type { Connection, ConsentedConnection, KeyConnection, SealedSecret } from './connection.js';
import { isHeaderName } from './grant.js';

const CONNECTIONS: Format = { name: 'toolwright-connections', field: 'connections' };
const PLACED = { header: ['header', 'prefix'], query: ['parameter'], basic: [] } as const;

const sealed = recordOf<SealedSecret>({
  kind: oneOf('sealed'),
  jwe: rule('a compact JWE', (value) => typeof value === 'string' && /^[\w-]+\.\.[\w-]+\.[\w-]*\.[\w-]+$/.test(value)),
});

const SECRETS: { readonly [kind: string]: Check } = {
  env: recordOf<{ kind: 'env'; name: string }>({
    kind: oneOf('env'),
    name: rule('the name of a variable', (value) => typeof value === 'string' && isVariable(value)),
  }),
  sealed,
};

/** True of what may name an environment variable. */
export function isVariable(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,254}$/.test(name);
}

const secret: Check = (value, at) => {
  const kind = isObject(value) ? value.kind : undefined;
  const check = typeof kind === 'string' && Object.hasOwn(SECRETS, kind) ? SECRETS[kind] : undefined;
  return check === undefined ? { at, message: 'must be an env or a sealed secret' } : check(value, at);
};

/** All fields of all placements; which of them a placement has is checked after. */
interface KeyFields extends Omit<KeyConnection, 'placement'> {
  readonly placement: string;
  readonly header?: string;
  readonly prefix?: string;
  readonly parameter?: string;
}

const common = {
  id: rule(
    'conn_ and 24 hexadecimal digits',
    (value) => typeof value === 'string' && /^conn_[0-9a-f]{24}$/.test(value),
  ),
  group: optional(filledText),
  status: oneOf('healthy', 'broken'),
  reason: optional(text),
  broken_by: optional(filledText),
  order: wholeNumber(1, Number.MAX_SAFE_INTEGER),
};

const keyFields = recordOf<KeyFields>({
  ...common,
  provider: oneOf('http_key', ...PROVIDER_NAMES),
  placement: oneOf('header', 'query', 'basic'),
  header: optional(rule('the name of a header', (value) => typeof value === 'string' && isHeaderName(value))),
  prefix: optional(text),
  parameter: optional(filledText),
  secret,
});

const consentedFault = recordOf<ConsentedConnection>({
  ...common,
  provider: oneOf(...PROVIDER_NAMES),
  scopes: rule('a list of scopes', (value) => Array.isArray(value) && value.every(isScope)),
  secret: sealed,
  renewing: optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
});

/** RFC 6749, section 3.3. */
export function isScope(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]{1,1000}$/.test(value);
}

const keyFault: Check = (value, at) => {
  const fault = keyFields(value, at);
  if (fault !== undefined) return fault;
  const record = value as KeyFields;
  const placed: readonly string[] = PLACED[record.placement as KeyConnection['placement']];
  const needed = placed[0];
  if (needed !== undefined && !Object.hasOwn(record, needed)) return { at: `${at}/${needed}`, message: 'is missing' };
  const stray = ['header', 'prefix', 'parameter'].find((name) => Object.hasOwn(record, name) && !placed.includes(name));
  if (stray === undefined) return undefined;
  return { at: `${at}/${stray}`, message: `does not belong to the placement ${record.placement}` };
};

/** The first fault of a value that should be a stored connection. */
export const connectionFault: Check = (value, at) => {
  const consented: readonly unknown[] = PROVIDER_NAMES;
  return (isObject(value) && consented.includes(value.provider) ? consentedFault : keyFault)(value, at);
};

export function encode(connections: readonly Connection[]): string {
  return encodeRecords(CONNECTIONS, connections);
}

/**
 * The connections of a text, the oldest first. `path` is for messages.
 * @throws Failure `store-foreign`.
 */
export function decode(bytes: Uint8Array, path: string): Connection[] {
  return inOrder(decodeRecords<Connection>(CONNECTIONS, bytes, path, connectionsFault));
}

export function inOrder(connections: readonly Connection[]): Connection[] {
  return [...connections].sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
}

/** Every fault of a text of connections, with its place in it. */
export function faultsOf(bytes: Uint8Array, path: string): readonly Fault[] {
  return allFaults(CONNECTIONS, bytes, path, connectionFault, (connections) => {
    const seen = new Set<string>();
    return (connections as readonly Connection[]).flatMap(({ id }, index) => {
      return seen.size === seen.add(id).size ? [sharedId(index)] : [];
    });
  });
}

function sharedId(index: number): Fault {
  return { at: `/connections/${index}/id`, message: 'is that of an earlier connection too' };
}

function connectionsFault(connections: unknown): Fault | undefined {
  if (!Array.isArray(connections)) return { at: '/connections', message: 'must be a list' };
  const seen = new Set<string>();
  for (const [index, connection] of connections.entries()) {
    const fault = connectionFault(connection, `/connections/${index}`);
    if (fault !== undefined) return fault;
    if (seen.has(connection.id)) return sharedId(index);
    seen.add(connection.id);
  }
  return undefined;
}
