// Sealing: what opens, what does not, and what is never said.
import { describe, expect, it } from 'vitest';
import { SEAL_VARIABLE, sealer } from '../../src/connection/seal.js';
import { isFailure } from '../store/conformance.js';
import { KEY_A, KEY_B, sampleId } from './sample.js';

const [ID, OTHER, SECRET] = [sampleId('a'), sampleId('b'), 'clé 🔑 s3cr3t'];

function headerOf(jwe: string): unknown {
  return JSON.parse(Buffer.from(jwe.split('.')[0] ?? '', 'base64url').toString());
}

describe('a sealed secret', () => {
  it('is a compact JWE that names its key and its connection, and opens', async () => {
    const jwe = await sealer(KEY_A).seal(ID, SECRET);
    expect(headerOf(jwe)).toEqual({ alg: 'dir', enc: 'A256GCM', kid: 'a', connection: ID });
    expect(await sealer(KEY_A).open(ID, jwe)).toBe(SECRET);
    expect(await sealer(KEY_A).seal(ID, SECRET)).not.toBe(jwe);
  });

  it('outlives a rotation: the first key seals, all open, a key that is gone does not', async () => {
    const old = await sealer(KEY_A).seal(ID, SECRET);
    const rotated = sealer(`${KEY_B}, ${KEY_A}`);
    const fresh = await rotated.seal(ID, SECRET);
    expect(headerOf(fresh)).toMatchObject({ kid: 'b' });
    expect([await rotated.open(ID, old), await rotated.open(ID, fresh)]).toEqual([SECRET, SECRET]);
    await expect(sealer(KEY_B).open(ID, old)).rejects.toSatisfy(isFailure('unopened-secret'));
  });

  it('opens for its own connection alone', async () => {
    const jwe = await sealer(KEY_A).seal(ID, SECRET);
    await expect(sealer(KEY_A).open(OTHER, jwe)).rejects.toThrow(/sealed for another connection/);
  });

  it('does not open when any part was changed, or under another key of its name', async () => {
    const jwe = await sealer(KEY_A).seal(ID, SECRET);
    const parts = jwe.split('.');
    let tried = 0;
    for (const index of [0, 2, 3, 4]) {
      for (let at = 0; at < (parts[index] ?? '').length; at += 1) {
        const part = parts[index] ?? '';
        // The last digit of base64 may hold bits that count for nothing: another one is taken where it decodes the same.
        const digit = part[at] === 'A' ? 'z' : 'A';
        const changed = `${part.slice(0, at)}${digit}${part.slice(at + 1)}`;
        if (Buffer.from(changed, 'base64url').equals(Buffer.from(part, 'base64url'))) continue;
        const tampered = parts.with(index, changed).join('.');
        await expect(sealer(KEY_A).open(ID, tampered)).rejects.toSatisfy(isFailure('unopened-secret'));
        tried += 1;
      }
    }
    const rebound = Buffer.from(JSON.stringify({ ...(headerOf(jwe) as object), connection: OTHER })).toString(
      'base64url',
    );
    await expect(sealer(KEY_A).open(OTHER, parts.with(0, rebound).join('.'))).rejects.toThrow(/does not open/);
    await expect(sealer(KEY_B.replace('b:', 'a:')).open(ID, jwe)).rejects.toThrow(/does not open/);
    await expect(sealer(KEY_A).open(ID, 'nonsense')).rejects.toSatisfy(isFailure('unopened-secret'));
    console.log(`seal: ${tried + 3} changes of a JWE, 0 opened`);
  });

  it('is not made without a key', async () => {
    const failure = await sealer('')
      .seal(ID, SECRET)
      .catch((error: unknown) => error);
    expect(failure).toSatisfy(isFailure('no-seal-key'));
    expect((failure as Error).message).toContain(SEAL_VARIABLE);
    expect((failure as Error).message).not.toContain(SECRET);
    await expect(sealer('').open(ID, 'x')).rejects.toSatisfy(isFailure('no-seal-key'));
  });

  it.each([
    'hunter2hunter2',
    'a:hunter2hunter2',
    `a:${Buffer.alloc(16).toString('base64url')}`,
    `a:${Buffer.alloc(33).toString('base64url')}`,
    `${KEY_A},`,
    `${KEY_A},${KEY_A}`,
    `a b:${KEY_A.slice(2)}`,
  ])('is refused keys like %s, and they are not told', (keys) => {
    let message = '';
    try {
      sealer(keys);
    } catch (error) {
      expect(error).toSatisfy(isFailure('invalid-seal-key'));
      message = (error as Error).message;
    }
    expect(message).toMatch(/^key \d of TOOLWRIGHT_SEAL_KEYS/);
    expect(message).not.toMatch(/hunter2|AQEB/);
  });
});
