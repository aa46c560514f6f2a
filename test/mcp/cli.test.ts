// `toolwright mcp` as a command: what it takes, what it refuses, and what it prints for clients.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { object, openapi, operation } from '../cases/build.js';
import { atDesk } from '../cases/command.js';
import { answerText, recorder } from '../wire/loopback.js';
import { atStdio, initialize } from './support.js';

/** A placeholder as clients write it. */
function braces(name: string): string {
  return `\${${name}}`;
}

const SECRET = 'a-key-of-the-tests-0123456789';
const KEYED = openapi(
  { '/a': { get: operation('a') } },
  {
    security: [{ key: [] }],
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
      schemas: { A: object({}) },
    },
  },
);

it('refuses what does not go together, and never listens elsewhere without a token', async () => {
  await atDesk(async ({ run, write }) => {
    await write('api.json', KEYED);
    await write('short', 'short');
    const served = ['mcp', 'api.json', '--server', 'http://127.0.0.1:9'];
    for (const [args, code, part] of [
      [['mcp', 'api.json'], 2, '--server URL'],
      [['mcp', '--server', 'http://a'], 2, '--server does not go without a description'],
      [['mcp', '--tag', 'x'], 2, '--tag does not go without a description'],
      [['mcp', '--prefix', 'x_'], 2, '--prefix does not go without a description'],
      [['mcp', '--limit', 'nesting=3'], 2, '--limit does not go without a description'],
      [['mcp', '-', '--server', 'http://a.example'], 2, 'standard input'],
      [['mcp', '--token', 'env:A'], 2, '--token does not go without --http'],
      [[...served, '--http', '0', '--host', '0.0.0.0'], 2, 'a token is needed'],
      [[...served, '--http', '0', '--host', '::'], 2, 'a token is needed'],
      [[...served, '--http', '0', '--host', 'localhost.evil.example'], 2, 'a token is needed'],
      [[...served, '--http', '0', '--token', SECRET], 2, 'env:NAME only'],
      [[...served, '--http', '0', '--token', 'env:NOT_SET'], 4, 'NOT_SET is not set'],
      [[...served, '--http', '0', '--token-file', 'short'], 1, 'shorter than 16'],
      [[...served, '--http', '65536'], 2, '0 to 65535'],
      [[...served, '--header', 'X'], 2, 'without --secret'],
      [[...served, '--secret', SECRET], 2, 'env:NAME only'],
      [['mcp', '--store', 'file:broken.json'], 1, 'store-foreign'],
    ] as const) {
      await write('broken.json', '{');
      const { code: status, stdout, stderr } = await run(...args);
      expect([args, status, stdout]).toEqual([args, code, '']);
      expect(stderr).toContain(part);
      expect(stderr).not.toContain(SECRET);
    }
  });
});

it('serves a description behind a key of a variable, placed as the description says', async () => {
  const api = await recorder(() => answerText(200, { 'content-type': 'application/json' }, '{}'));
  try {
    await atDesk(async ({ folder, write }) => {
      await write('api.json', KEYED);
      const args = [
        join(folder, 'api.json'),
        '--server',
        api.origin,
        '--allow-private',
        '127.0.0.1',
        '--secret',
        'env:API_KEY',
      ];
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } };
      await atStdio(
        args,
        async (served) => {
          await served.ask(initialize('2025-11-25'));
          expect((await served.ask(call)).result.isError).toBeUndefined();
          expect(api.requests[0]?.headers.find(([name]) => name.toLowerCase() === 'x-api-key')?.[1]).toBe(SECRET);
        },
        { env: { API_KEY: SECRET } },
      );
      await atStdio(args, async (served) => {
        await served.ask(initialize('2025-11-25'));
        const { result } = await served.ask(call);
        expect(result.isError).toBe(true);
        expect(result.content[0].text).toMatch(/API_KEY.*is not set[\s\S]*tell the person/);
        expect(api.requests).toHaveLength(1);
      });
    });
  } finally {
    await api.close();
  }
});

it('keeps the standard output for the protocol from its first moment', async () => {
  // What a library prints while the description is read.
  const chatty = `const { parse } = JSON;
    JSON.parse = (text, ...rest) => {
      if (String(text).includes('"openapi"')) console.log('a remark of a library');
      return parse(text, ...rest);
    };`;
  await atDesk(async ({ folder, write }) => {
    await write('api.json', KEYED);
    await atStdio(
      [join(folder, 'api.json'), '--server', 'https://api.example.com'],
      async (served) => {
        const { result } = await served.ask(initialize('2025-11-25'));
        expect(result.serverInfo.name).toBe('toolwright');
        expect(served.stderr).toContain('a remark of a library');
        expect(served.stdout).not.toContain('a remark');
      },
      { node: ['--import', `data:text/javascript,${encodeURIComponent(chatty)}`] },
    );
  });
});

it('prints what to paste into each client, with places for secrets and never one', async () => {
  await atDesk(async ({ folder, run, write }) => {
    await write('api.json', KEYED);
    await write('tools.json', '{"format":"toolwright","version":1,"tools":[]}\n');
    await run('connections', 'add', '--header', 'X-Key', '--secret', 'env:CLINIC_KEY', '--store', 'file:tools.json');
    const printed = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await run('mcp', ...args);
      expect([code, stderr.includes('Paste it into')]).toEqual([0, true]);
      return JSON.parse(stdout);
    };
    const args = ['-y', 'toolwright', 'mcp', '--read-only', '--store', `file:${join(folder, 'tools.json')}`];
    const stored = ['--store', 'file:tools.json', '--read-only', '--print-config'];
    for (const [name, value] of [
      ['claude-desktop', '<the value of CLINIC_KEY>'],
      ['claude-code', braces('CLINIC_KEY')],
      ['cursor', braces('env:CLINIC_KEY')],
    ] as const) {
      const config = await printed(...stored, name);
      expect(config.mcpServers.toolwright.command).toBe('npx');
      expect([...config.mcpServers.toolwright.args].sort()).toEqual([...args].sort());
      expect(config.mcpServers.toolwright.env).toEqual({ CLINIC_KEY: value });
    }
    expect(await printed(...stored, 'vscode', '--name', 'clinic')).toMatchObject({
      inputs: [{ type: 'promptString', id: 'CLINIC_KEY', password: true }],
      servers: { clinic: { type: 'stdio', command: 'npx', env: { CLINIC_KEY: braces('input:CLINIC_KEY') } } },
    });
    const described = [
      'api.json',
      '--server',
      'https://api.example.com',
      '--secret',
      'env:API_KEY',
      '--print-config',
      'claude-code',
    ];
    expect(await printed(...described)).toEqual({
      mcpServers: {
        toolwright: {
          command: 'npx',
          args: [
            '-y',
            'toolwright',
            'mcp',
            join(folder, 'api.json'),
            '--server',
            'https://api.example.com',
            '--secret',
            'env:API_KEY',
          ],
          env: { API_KEY: braces('API_KEY') },
        },
      },
    });
    const http = ['--http', '8080', '--token', 'env:MCP_TOKEN', '--print-config'];
    expect(await printed(...http, 'claude-code')).toEqual({
      mcpServers: {
        toolwright: {
          type: 'http',
          url: 'http://127.0.0.1:8080/mcp',
          headers: { Authorization: `Bearer ${braces('MCP_TOKEN')}` },
        },
      },
    });
    expect((await printed(...http, 'cursor')).mcpServers.toolwright.headers).toEqual({
      Authorization: `Bearer ${braces('env:MCP_TOKEN')}`,
    });
    // An address with a password is not printed.
    await writeFile(join(folder, 'none'), '');
    const { stdout } = await run(
      'mcp',
      '--store',
      `postgres://me:${SECRET}@127.0.0.1:1/x`,
      '--print-config',
      'claude-code',
    );
    expect(stdout).not.toContain(SECRET);
  });
});
