// Nothing of a secret is shown, however it is written: encodings by placements, every place of a cut, short secrets, size.
import { describe, expect, it } from 'vitest';
import type { Grant } from '../../src/connection/grant.js';
import { secretsOf } from '../../src/connection/placement.js';
import { scrubber } from '../../src/connection/redact.js';
import { ENCODINGS } from './encodings.js';

/** Hard ones: each sign that some encoding treats, escapes that are none, repeated beginnings. */
const SECRETS = [
  'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
  "p\"a\\s/s+w o=r&d<1>'x'%41é:Ü",
  'abababac/\\n%2541&amp;é"',
  '12345678',
  'aaaaaaaa\\',
  '%41%42%43%44',
];
const CONTEXTS: readonly [string, string][] = [
  ['', ''],
  ['{"echo": "', '", "n": 1}'],
  ['your key ', ' is not valid'],
  ['GET /a?k=', '&b=%20c HTTP/1.1'],
];

function grants(secret: string): readonly Grant[] {
  return [
    { placement: 'header', header: 'Authorization', prefix: 'Bearer ', key: secret },
    { placement: 'query', parameter: 'key', key: secret },
    { placement: 'basic', username: 'someone', password: secret },
  ];
}

describe('the scrubber', () => {
  it('finds every encoding in every placement and context', () => {
    let [checks, hits] = [0, 0];
    for (const secret of SECRETS) {
      for (const grant of grants(secret)) {
        const secrets = secretsOf(grant);
        const { text, value } = scrubber(secrets);
        for (const whole of secrets) {
          for (const [name, encode] of Object.entries(ENCODINGS)) {
            const written = encode(whole);
            for (const [before, after] of CONTEXTS) {
              const raw = `${before}${written}${after}`;
              const deep = JSON.stringify(value({ a: [{ [raw]: raw }] }));
              for (const shown of [text(raw), deep]) {
                checks += 1;
                if (!leaks(shown, written, secret)) continue;
                hits += 1;
                console.log('LEAK', name, JSON.stringify([secret, raw, shown]));
              }
            }
          }
        }
      }
    }
    console.log(`scrubber: ${checks} checks (${Object.keys(ENCODINGS).length} encodings), ${hits} hits`);
    expect(hits).toBe(0);
  });

  it('leaves what stands around a secret', () => {
    const { text } = scrubber(['s3cr3t/value']);
    expect(text('{"a":"s3cr3t\\/value","b":"c%2Fd"}')).toBe('{"a":"[redacted]","b":"c%2Fd"}');
    expect(text('a s3cr3t/valu')).toBe('a s3cr3t/valu');
    expect(text('S3CR3T%2fVALUEs3cr3t/value, twice')).toBe('[redacted], twice');
    expect(text(`Basic ${Buffer.from('x:s3cr3t/value').toString('base64')}.`)).toMatch(/^Basic e.?\[redacted\]\.$/);
  });

  it('finds a secret cut at every place, in pieces of every size, as text and as bytes', () => {
    let [checks, hits] = [0, 0];
    const secret = SECRETS[1] ?? '';
    const make = scrubber(secretsOf({ placement: 'header', header: 'K', key: secret }));
    for (const encode of Object.values(ENCODINGS)) {
      const written = encode(secret);
      const raw = `before \u{1f511} ${written} after`;
      const bytes = Buffer.from(raw);
      const cuts = Array.from({ length: bytes.length + 1 }, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
      const textCuts = Array.from({ length: raw.length + 1 }, (_, at) => [raw.slice(0, at), raw.slice(at)]);
      const single = [...bytes].map((byte) => Uint8Array.of(byte));
      for (const pieces of [...cuts, ...textCuts, single] as readonly (string | Uint8Array)[][]) {
        const stream = make.stream();
        const shown = [...pieces.map((piece) => stream.push(piece)), stream.end()].join('');
        checks += 1;
        if (leaks(shown, written, secret) || !shown.startsWith('before') || !shown.endsWith(' after')) hits += 1;
        if (pieces.length === 2) expect(shown).toBe(make.text(raw));
      }
    }
    console.log(`scrubber: ${checks} cuts, ${hits} hits`);
    expect(hits).toBe(0);
  });

  it('answers long streams as it goes, the same as at once', () => {
    const secret = 'sk_live_4eC39HqL';
    const make = scrubber([secret]);
    for (const period of [1_013, 4_099]) {
      const raw = Array.from({ length: 60 }, (_, i) => `${'x%20y\\n'.repeat(period / 7)}${secret}${i}`).join(' ');
      for (const size of [7, 1_000, 65_536]) {
        const stream = make.stream();
        const parts: string[] = [];
        for (let at = 0; at < raw.length; at += size) parts.push(stream.push(raw.slice(at, at + size)));
        if (raw.length > 100_000) expect(parts.some((part) => part !== '')).toBe(true);
        parts.push(stream.end());
        expect(parts.join('')).toBe(make.text(raw));
      }
    }
  });

  it('finds a secret under 8 characters only as a whole token', () => {
    const { text, value } = scrubber(['pin7']);
    expect(text('pin7 pin70 spin7 pin7_ "pin7" pin7.')).toBe('[redacted] pin70 spin7 pin7_ "[redacted]" [redacted].');
    expect(text('a=%22pin7%22&b=%70in7\\npin7')).toBe('a=%22[redacted]%22&b=[redacted]\\n[redacted]');
    expect(text(Buffer.from('pin7').toString('base64'))).toBe('[redacted]==');
    expect(text(`x${Buffer.from('pin7').toString('hex')}`)).toContain('70696e37');
    expect(text(Buffer.from('pin7').toString('hex'))).toBe('[redacted]');
    expect(scrubber(['1234']).value({ a: 1234, b: 12345, c: '1234' })).toEqual({
      a: '[redacted]',
      b: 12345,
      c: '[redacted]',
    });
    expect(value({ pin7: 'pin7' })).toEqual({ '[redacted]': '[redacted]' });
    const stream = scrubber(['pin7']).stream();
    expect(stream.push('s') + stream.push('pin7 ') + stream.push('pin7') + stream.end()).toBe('spin7 [redacted]');
  });

  it('copies JSON as it is but for secrets', () => {
    const { value } = scrubber(['s3cr3t/value', '9007199254740993']);
    const odd = JSON.parse('{"__proto__":{"a":"s3cr3t/value"},"s3cr3t/value":1,"S3CR3T/VALUE":2,"n":null,"b":false}');
    const shown = '{"__proto__":{"a":"[redacted]"},"[redacted]":1,"[redacted] 2":2,"n":null,"b":false}';
    expect(JSON.stringify(value(odd))).toBe(shown);
    expect(Object.getPrototypeOf(value(odd))).toBe(Object.prototype);
    const deep = JSON.parse(`${'['.repeat(5_000)}"s3cr3t/value"${']'.repeat(5_000)}`);
    expect(JSON.stringify(value(deep))).toBe(`${'['.repeat(1_000)}"[too deep]"${']'.repeat(1_000)}`);
  });

  it('does nothing without a secret', () => {
    const { text, value, stream } = scrubber(['']);
    const same = { a: 1 };
    expect([text('abc'), value(same)]).toEqual(['abc', same]);
    const open = stream();
    expect(open.push('abc') + open.end()).toBe('abc');
  });

  it('scrubs a megabyte of whatever could make it slow', () => {
    // A search in the square of the text would take hours, and end at the bound of the test.
    const secret = `${'a'.repeat(60)}b`;
    const { text } = scrubber([secret]);
    for (const fill of ['a', '%', '\\', '&', '&a', '\\u', '%25', '&#', '&amp;', '\n ', '%e2%82', 'Zm9v']) {
      const shown = text(`${fill.repeat(1_000_000 / fill.length)}${secret}`);
      expect(shown.endsWith('[redacted]')).toBe(true);
    }
  });
});

/** Whether a shown text holds what was written, the secret, or the greater part of either. */
function leaks(shown: string, written: string, secret: string): boolean {
  const forms = [written, secret, JSON.stringify(written).slice(1, -1)];
  return forms.some((form) => {
    const part = form.slice(Math.floor(form.length / 4), Math.ceil((form.length * 3) / 4));
    return shown.includes(form) || (part.length >= 6 && shown.toLowerCase().includes(part.toLowerCase()));
  });
}
