// Secrets at rest: sealed under a key of the deployment, bound to their connection (JWE compact, RFC 7516).
import { Failure } from '../base/failure.js';

export const SEAL_VARIABLE = 'TOOLWRIGHT_SEAL_KEYS';
const ENCRYPTION = 'A256GCM';
const KEY_BYTES = 32;

/** Seals and opens the secrets of connections. */
export interface Sealer {
  /**
   * A compact JWE that opens for this connection only.
   * @throws Failure `no-seal-key`.
   */
  seal(connectionId: string, secret: string): Promise<string>;
  /** @throws Failure `no-seal-key`, `unopened-secret`. */
  open(connectionId: string, jwe: string): Promise<string>;
}

/**
 * A sealer of the keys `kid:key,kid:key`, each key 32 bytes in base64url: the first seals, all open. Without a text it
 * refuses whatever is asked of it.
 * @throws Failure `invalid-seal-key`, which never holds the text.
 */
export function sealer(keys: string | undefined = process.env[SEAL_VARIABLE]): Sealer {
  return new KeySealer(readKeys(keys ?? ''));
}

type Keys = ReadonlyMap<string, Uint8Array>;

function readKeys(text: string): Keys {
  const keys = new Map<string, Uint8Array>();
  for (const [index, entry] of text.trim() === '' ? [] : text.split(',').entries()) {
    const [, kid, key] = /^([A-Za-z0-9._-]{1,64}):([A-Za-z0-9_-]{43})=?$/.exec(entry.trim()) ?? [];
    const bytes = Buffer.from(key ?? '', 'base64url');
    const fault = (what: string) => new Failure('invalid-seal-key', `key ${index + 1} of ${SEAL_VARIABLE} ${what}`);
    if (kid === undefined || bytes.length !== KEY_BYTES) throw fault(`is not kid:base64url of ${KEY_BYTES} bytes`);
    if (keys.has(kid)) throw fault('has the kid of an earlier one');
    keys.set(kid, bytes);
  }
  return keys;
}

class KeySealer implements Sealer {
  readonly #keys: Keys;

  constructor(keys: Keys) {
    this.#keys = keys;
  }

  async seal(connectionId: string, secret: string): Promise<string> {
    const [first] = this.#keys;
    if (first === undefined) throw noKey('a secret is never stored in the clear');
    const [kid, key] = first;
    const { CompactEncrypt } = await import('jose');
    return new CompactEncrypt(Buffer.from(secret))
      .setProtectedHeader({ alg: 'dir', enc: ENCRYPTION, kid, connection: connectionId })
      .encrypt(key);
  }

  async open(connectionId: string, jwe: string): Promise<string> {
    if (this.#keys.size === 0) throw noKey(`the secret of ${connectionId} is sealed`);
    const unopened = (what: string) => new Failure('unopened-secret', `the secret of ${connectionId} ${what}`);
    const { compactDecrypt, decodeProtectedHeader } = await import('jose');
    const header = await Promise.resolve(jwe)
      .then(decodeProtectedHeader)
      .catch(() => undefined);
    const kid = typeof header?.kid === 'string' ? header.kid : '';
    const key = this.#keys.get(kid);
    if (key === undefined) throw unopened(`is sealed under a key that ${SEAL_VARIABLE} does not hold`);
    const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: [ENCRYPTION] };
    // An error of the library is no cause to keep: it may carry what it was given.
    const opened = await compactDecrypt(jwe, key, options).catch(() => undefined);
    if (opened === undefined) throw unopened('does not open: it was changed, or its key is another of the same name');
    if (opened.protectedHeader.connection !== connectionId) throw unopened('was sealed for another connection');
    return Buffer.from(opened.plaintext).toString();
  }
}

function noKey(why: string): Failure {
  const way = `set ${SEAL_VARIABLE} to kid:key, the key 32 bytes in base64url, or use env:NAME`;
  return new Failure('no-seal-key', `${why}, and no key is configured; ${way}`);
}
