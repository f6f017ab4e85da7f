import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockDirectory } from '../../src/store/embedded/directory-lock.ts';
import { COMPILE_ONCE } from '../support/processes/child.ts';
import { temporaryStores } from '../support/stores/directories.ts';
import { eventually } from '../support/time/eventually.ts';
import { compilingOnce, lastDescendantOf } from './npm.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SCRIPT = '/usr/bin/script';
const CTRL_C = '\x03';

/** A request whose body is sent in two parts. */
function submitSlowly(address: string, key: string) {
  const body = JSON.stringify({ description: 'Sent in two parts' });
  const submission = request(`${address}/v1/prayer-requests`, {
    method: 'POST',
    headers: {
      'X-Api-Key': key,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      Expect: '100-continue',
    },
  });
  // The service has read the headers: until then, a shutdown closes the connection.
  const arrived = once(submission, 'continue');
  const answered = once(submission, 'response').then(async ([response]) => {
    await text(response);
    return response.statusCode as number;
  });
  submission.write(body.slice(0, 10));
  return {
    arrived,
    finish: () => {
      submission.end(body.slice(10));
      return answered;
    },
  };
}

describe.skipIf(process.platform !== 'linux' || !existsSync(SCRIPT))('the service in a terminal', () => {
  const { folder } = temporaryStores();

  /** Runs a command that starts the service in a pseudo-terminal, with an embedded database in a directory. */
  function start(command: string, dataDirectory: string, port: number, path = process.env.PATH) {
    const { DATABASE_URL: _, REDIS_URL: __, ...inherited } = process.env;
    const settings = { PORT: String(port), SHUTDOWN_DELAY_MS: '0', DATA_DIR: dataDirectory };
    const terminal = spawn(SCRIPT, ['-qec', command, '/dev/null'], {
      cwd: ROOT,
      env: { ...inherited, ...settings, PATH: path },
    });
    // `script` ends, and the processes of its terminal get SIGHUP.
    onTestFinished(() => {
      terminal.kill();
    });
    let output = '';
    for (const stream of [terminal.stdout, terminal.stderr]) stream.on('data', (chunk) => (output += chunk));
    const ended = once(terminal, 'close') as Promise<[number | null]>;
    return {
      pid: terminal.pid as number,
      lines: () => output.replaceAll('\r', '').split('\n').filter(Boolean),
      type: (text: string) => terminal.stdin.write(text),
      ended: async () => (await ended)[0],
    };
  }

  it('npm start says what happens; Ctrl-C stops it once, after the requests in flight, without an error', async () => {
    const dataDirectory = join(await folder(), 'data');
    const service = start(
      'npm --no-progress --no-update-notifier start',
      dataDirectory,
      0,
      await compilingOnce(await folder()),
    );
    const shown = () => service.lines().join('\n');
    await eventually(() => expect(shown()).toMatch(/X-Api-Key: cms_\w+.*members/));
    const [first] = service.lines().filter((line) => !line.startsWith('>'));
    expect(first).toMatch(/^Starting at http:\/\/127\.0\.0\.1:\d+ …$/);
    expect(shown()).toMatch(/works once[\s\S]*\/developer\/set-password\?token=[\w-]{43}/);
    const [[address = ''], [key = '']] = [/http:[\w.:/]+/.exec(shown()) ?? [], /cms_\w+/.exec(shown()) ?? []];
    const pid = lastDescendantOf(service.pid);
    const submission = submitSlowly(address, key);
    await submission.arrived;
    service.type(CTRL_C);
    await eventually(() => expect(shown()).toContain('Stopping …'));
    // As npm does if its shell replaces itself with the command.
    process.kill(pid, 'SIGINT');
    await eventually(() => expect(fetch(`${address}/livez`)).rejects.toThrow('fetch failed'));
    expect(await submission.finish()).toBe(201);
    await service.ended();
    const after = service.lines().map((line) => line.replace('^C', ''));
    expect(after.slice(after.indexOf('Stopping …')).filter((line) => !line.includes('POST'))).toEqual([
      'Stopping …',
      'Stopped.',
    ]);
    expect(service.lines().filter((line) => line.includes('{'))).toEqual([]);
    await eventually(() => expect(existsSync(`/proc/${pid}`)).toBe(false));
    await (await lockDirectory(dataDirectory)).release();
  });

  it('says that the port is in use before it creates a database', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const dataDirectory = join(await folder(), 'data');
    const service = start(`exec node ${COMPILE_ONCE.join(' ')} '${MAIN}'`, dataDirectory, port);
    expect(await service.ended()).toBe(1);
    expect(service.lines().join('\n')).toMatch(
      new RegExp(`^The service cannot start\\.\n.*EADDRINUSE.*:${port}[\\s\\S]*PORT`),
    );
    expect(existsSync(dataDirectory)).toBe(false);
    other.close();
  });
});
