// The 24 encodings of SECURITY.md, each written from its definition alone, and the judge that finds a secret in them.

/** How a secret is written, and the part of that which hangs on the secret alone. */
export interface Encoding {
  readonly name: string;
  readonly write: (secret: string) => string;
  readonly core: (secret: string) => string;
}

const bytes = (text: string) => [...Buffer.from(text, 'utf8')];
const two = (number: number) => number.toString(16).padStart(2, '0');
const four = (number: number) => number.toString(16).padStart(4, '0');
const units = (text: string) => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
const UNRESERVED = /[A-Za-z0-9._~-]/;

/** RFC 3986, section 2.1. */
function percent(text: string, hex: (byte: number) => string, all = false): string {
  return bytes(text)
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return !all && UNRESERVED.test(character) ? character : `%${hex(byte)}`;
    })
    .join('');
}

/** RFC 8259, section 7. */
function json(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** RFC 4648, section 4: the digits of base64 that hold no bit of what stands before or after the secret. */
function base64Core(secret: string, before: number, alphabet: 'base64' | 'base64url' = 'base64'): string {
  const padded = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
  return padded.toString(alphabet).slice(Math.ceil((before * 4) / 3), Math.floor((padded.length * 4) / 3));
}

const NAMED: { readonly [character: string]: string } = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
  '/': 'sol',
  '=': 'equals',
  '%': 'percnt',
  '\\': 'bsol',
  é: 'eacute',
  Ü: 'Uuml',
};

function simple(name: string, write: (secret: string) => string): Encoding {
  return { name, write, core: write };
}

export const ENCODINGS: readonly Encoding[] = [
  simple('raw', (s) => s),
  simple('JSON-escaped', json),
  simple('\\uXXXX', (s) =>
    units(s)
      .map((unit) => `\\u${four(unit)}`)
      .join(''),
  ),
  simple('\\/', (s) => json(s).replaceAll('/', '\\/')),
  simple('percent upper', (s) => percent(s, (byte) => two(byte).toUpperCase())),
  simple('percent lower', (s) => percent(s, two)),
  simple('percent all', (s) => percent(s, two, true)),
  simple('form', (s) => percent(s, (byte) => two(byte).toUpperCase()).replaceAll('%20', '+')),
  simple('double percent', (s) => percent(percent(s, two), two)),
  simple('base64', (s) => Buffer.from(s).toString('base64')),
  simple('base64url', (s) => Buffer.from(s).toString('base64url')),
  {
    name: 'base64 at 1',
    write: (s) => Buffer.from(`{${s}} and`).toString('base64'),
    core: (s) => base64Core(s, 1),
  },
  {
    name: 'base64 at 2',
    write: (s) => Buffer.from(`{"${s}"}`).toString('base64'),
    core: (s) => base64Core(s, 2),
  },
  {
    name: 'inside Basic',
    write: (s) => `Basic ${Buffer.from(`someone:${s}`).toString('base64')}`,
    core: (s) => base64Core(s, 'someone:'.length),
  },
  simple('hex', (s) => Buffer.from(s).toString('hex')),
  simple('HEX', (s) => Buffer.from(s).toString('hex').toUpperCase()),
  simple('HTML named', (s) => [...s].map((c) => (NAMED[c] === undefined ? c : `&${NAMED[c]};`)).join('')),
  simple('HTML decimal', (s) => [...s].map((c) => `&#${c.codePointAt(0)};`).join('')),
  {
    name: 'JSON inside JSON',
    write: (s) => JSON.stringify(JSON.stringify({ key: s })),
    core: (s) => json(json(s)),
  },
  simple('mojibake', (s) => Buffer.from(s).toString('latin1')),
  simple('NFD', (s) => s.normalize('NFD')),
  simple('changed case', (s) =>
    [...s].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join(''),
  ),
  // A body that comes in pieces is cut inside of this one.
  simple('split over chunks', (s) => s),
  simple('YAML-quoted', (s) => `"${json(s).replace(/[^ -~]/g, (c) => `\\x${two(c.charCodeAt(0))}`)}"`),
];

/** A text and all that JSON in it holds as strings, keys included. */
function* texts(shown: string): Generator<string> {
  yield shown;
  let value: unknown;
  try {
    value = JSON.parse(shown);
  } catch {
    return;
  }
  yield* strings(value);
}

function* strings(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield value;
    // What an API sent as bytes is shown as base64.
    if (/^[A-Za-z0-9+/]{16,}={0,2}$/.test(value)) yield Buffer.from(value, 'base64').toString('utf8');
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      yield key;
      yield* strings(item);
    }
  }
}

/** What of a secret would be seen: a quarter of it, in this encoding, in any case, also where bytes were read as Latin-1. */
function quarters({ core }: Encoding, secret: string): readonly string[] {
  const text = core(secret);
  return [text, Buffer.from(text).toString('latin1')].flatMap((form) => {
    const size = Math.floor(form.length / 4);
    return [0, 1, 2, 3].map((i) => form.slice(i * size, (i + 1) * size).toLowerCase());
  });
}

/** Finds a secret in what is shown. */
export class Judge {
  readonly #secret: string;
  readonly #quarters = new Map<Encoding, readonly string[]>();

  constructor(secret: string) {
    this.#secret = secret;
    for (const encoding of ENCODINGS) this.#quarters.set(encoding, quarters(encoding, secret));
  }

  /** The parts of the secret in one of the encodings that are in a text, or in a string of the JSON that it is. */
  found(shown: string, encodings: readonly Encoding[] = ENCODINGS): readonly string[] {
    const hits: string[] = [];
    for (const text of texts(shown)) {
      const lower = text.toLowerCase();
      for (const encoding of encodings)
        for (const part of this.#quarters.get(encoding) ?? [])
          if (lower.includes(part)) hits.push(`${encoding.name}: ${part} of ${this.#secret} in ${around(text, part)}`);
    }
    return hits;
  }
}

function around(text: string, part: string): string {
  const at = text.toLowerCase().indexOf(part);
  return JSON.stringify(text.slice(Math.max(0, at - 80), at + part.length + 80));
}
