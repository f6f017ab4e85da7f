import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COMPILE_ONCE } from '../support/processes/child.ts';
import { temporaryStores } from '../support/stores/directories.ts';
import { eventually } from '../support/time/eventually.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const COMMAND = `exec node ${COMPILE_ONCE.join(' ')} '${MAIN}'`;
const SCRIPT = '/usr/bin/script';
const CTRL_C = '\x03';

describe.skipIf(process.platform !== 'linux' || !existsSync(SCRIPT))('the service in a terminal', () => {
  const { folder } = temporaryStores();

  /** Starts the service in a pseudo-terminal, with an embedded database in a directory. */
  function start(dataDirectory: string, port: number) {
    const { DATABASE_URL: _, REDIS_URL: __, ...inherited } = process.env;
    const env = { ...inherited, PORT: String(port), SHUTDOWN_DELAY_MS: '0', DATA_DIR: dataDirectory };
    const terminal = spawn(SCRIPT, ['-qec', COMMAND, '/dev/null'], { env });
    let output = '';
    for (const stream of [terminal.stdout, terminal.stderr]) stream.on('data', (chunk) => (output += chunk));
    const ended = once(terminal, 'close') as Promise<[number | null]>;
    return {
      lines: () => output.replaceAll('\r', '').split('\n').filter(Boolean),
      type: (text: string) => terminal.stdin.write(text),
      ended: async () => (await ended)[0],
    };
  }

  it('says what happens on the first start, and "Stopped" after Ctrl-C, without JSON', async () => {
    const service = start(join(await folder(), 'data'), 0);
    await eventually(() => expect(service.lines().join('\n')).toMatch(/X-Api-Key: cms_\w+.*members/));
    expect(service.lines()[0]).toMatch(/^Starting at http:\/\/127\.0\.0\.1:\d+ …$/);
    expect(service.lines().join('\n')).toMatch(/works once[\s\S]*\/developer\/set-password\?token=[\w-]{43}/);
    expect(service.lines().filter((line) => line.includes('{'))).toEqual([]);
    service.type(CTRL_C);
    expect(await service.ended()).toBe(0);
    expect(
      service
        .lines()
        .slice(-2)
        .map((line) => line.replace('^C', '')),
    ).toEqual(['Stopping …', 'Stopped.']);
  });

  it('says that the port is in use before it creates a database', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const dataDirectory = join(await folder(), 'data');
    const service = start(dataDirectory, port);
    expect(await service.ended()).toBe(1);
    expect(service.lines().join('\n')).toMatch(new RegExp(`EADDRINUSE.*:${port}[\\s\\S]*PORT`));
    expect(existsSync(dataDirectory)).toBe(false);
    other.close();
  });
});
