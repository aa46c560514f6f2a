// What `toolwright call` writes where: an answer is data, the reason that there is none is not.
import { expect, it } from 'vitest';
import { openapi, operation, parameter, WHOLE } from '../cases/build.js';
import { atDesk } from '../cases/command.js';

const API = openapi({
  '/visits': { get: operation('listVisits', { parameters: [parameter('query', 'room', WHOLE)] }) },
});

it('tells on the standard error why there is no answer, with its code', async () => {
  await atDesk(async ({ run, write }) => {
    await write('api.json', API);
    // Nobody listens there.
    await run('import', 'api.json', '--server', 'http://127.0.0.1:1', '--all');
    for (const more of [[], ['--dry-run']]) {
      const refused = await run('call', 'listVisits', '--args', '{"room":"x"}', ...more);
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toMatch(/^error\[refused\]: .*\n- room: expected integer, got "x"/);
    }
    const gone = await run('call', 'listVisits', '--allow-private', '127.0.0.1');
    expect([gone.code, gone.stdout]).toEqual([1, '']);
    expect(gone.stderr).toMatch(/^error\[unreachable\]: /m);
    const json = await run('call', 'listVisits', '--args', '{"room":"x"}', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ kind: 'refused', problems: [{ argument: 'room' }] });
    expect(json.stderr).toContain('error[refused]: ');
  });
});
