// What a person set on a tool and its API has no place for: kept, and told by every import and every plan.
import { describe, expect, it } from 'vitest';
import { body, type Json, object, openapi, operation, SERVER, TEXT } from '../cases/build.js';
import { atDesk } from '../cases/command.js';

const NAMES = Array.from({ length: 25 }, (_, i) => `p${i}`);
const PROPERTIES = { ...Object.fromEntries(NAMES.map((name) => [name, TEXT])), size: { enum: ['s', 'm', 'l'] } };

function describedBy(properties: Json = PROPERTIES, ...required: readonly string[]): Json {
  return openapi({
    '/a': { post: operation('a', body(object({ ...properties }, 'size', ...required))) },
    '/b': { get: operation('b') },
  });
}

const IMPORT = ['import', 'doc.json', '--server', SERVER, '--all'];
const NARROWED = { ...PROPERTIES, size: { enum: ['m', 'l'] } };
const ABSENT = 'a is to show "sice", which its body does not hold or has no room for; did you mean "size"?';
const REFUSED = 'a has "size" fixed to "s", which its API does not take: one of "m", "l" is expected';

function manifest(tools: Json, select: Json = { all: true }): Json {
  return { sources: { api: { description: './doc.json', server: SERVER, select, tools } } };
}

describe('a property that is to be shown and is not there', () => {
  it('is told by every import, one that is there is not', async () => {
    await atDesk(async ({ run, write, store }) => {
      await write('doc.json', describedBy());
      await run(...IMPORT);
      await run('tools', 'set', 'a', '--show', 'sice', '--show', 'p23');
      for (const more of [['--dry-run'], [], ['--json']]) {
        const { code, stderr } = await run(...IMPORT, ...more);
        expect([code, stderr.split('\n').filter((line) => line.startsWith('warning'))]).toEqual([
          0,
          [`warning: ${ABSENT}`],
        ]);
      }
      expect((await run(...IMPORT, '--quiet')).stderr).toBe('');
      expect(await store()).toContain('"sice"');
    });
  });

  it('is a warning of a plan, at the line of the manifest, that changes no exit status', async () => {
    await atDesk(async ({ run, write }) => {
      await write('doc.json', describedBy());
      await write('toolwright.yaml', manifest({ a: { show: ['sice', 'p23'] } }));
      await run('apply', '--plan', 'plan.json');
      expect((await run('apply', 'plan.json', '--yes')).stdout).toContain(`! ${ABSENT}\n`);
      const { code, stdout } = await run('apply', '--check', '--format', 'json');
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        changes: false,
        entries: [
          { kind: 'unfit', level: 'warning', source: 'api', tool: 'a', operation: 'a', message: ABSENT, place: {} },
        ],
      });
    });
  });

  it('is not told of an operation that is not read', async () => {
    await atDesk(async ({ run, write }) => {
      await write('doc.json', describedBy());
      await write('toolwright.yaml', manifest({}));
      await run('apply', '--yes');
      await write('toolwright.yaml', manifest({ a: { show: ['p23'] } }, { keys: ['b'] }));
      const { stdout } = await run('apply', '--yes');
      expect(stdout).toContain('~ a (shown_parameters)');
      expect(stdout).not.toContain('!');
    });
  });
});

describe('a fixed value that its parameter no longer takes', () => {
  it('is told when the tool changes, and stays', async () => {
    await atDesk(async ({ run, write, tools }) => {
      await write('doc.json', describedBy());
      await run(...IMPORT);
      await run('tools', 'set', 'a', '--fix', 'size=s', '--fix', 'p1=x');
      expect((await run(...IMPORT)).stderr).toBe('');
      await write('doc.json', describedBy(NARROWED));
      const { code, stderr } = await run(...IMPORT);
      expect([code, stderr]).toEqual([0, `warning: ${REFUSED}\n`]);
      expect((await tools())[0]?.fixed_parameters).toEqual({ size: 's', p1: 'x' });
    });
  });

  it('is told of what waits for approval, and by a plan', async () => {
    await atDesk(async ({ run, write }) => {
      await write('doc.json', describedBy());
      await write('toolwright.yaml', manifest({ a: { fixed_parameters: { size: 's' } } }));
      expect((await run('apply', '--yes')).stdout).not.toContain('!');
      await write('doc.json', describedBy(NARROWED));
      const held = await run('apply', '--yes', '--hold', 'breaking');
      expect([held.code, held.stdout]).toEqual([0, expect.stringContaining(`! ${REFUSED}\n`)]);
      const refreshed = await run('apply', '--yes');
      expect([refreshed.code, refreshed.stdout]).toEqual([0, expect.stringContaining(`! ${REFUSED}\n`)]);
    });
  });

  it('reaches nothing where the parameter is gone, which is no news', async () => {
    await atDesk(async ({ run, write }) => {
      await write('doc.json', describedBy());
      await run(...IMPORT);
      await run('tools', 'set', 'a', '--fix', 'p1=x');
      const { p1: _gone, ...rest } = PROPERTIES as Json;
      await write('doc.json', describedBy(rest));
      expect((await run(...IMPORT)).stderr).toBe('');
    });
  });
});
