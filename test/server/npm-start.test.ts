import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { lockDirectory } from '../../src/store/embedded/directory-lock.ts';
import { temporaryStores } from '../support/stores/directories.ts';
import { eventually } from '../support/time/eventually.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface NpmStart {
  readonly npm: ChildProcess;
  /** The process of the service, a descendant of npm and its shell. */
  readonly pid: number;
  readonly address: string;
  readonly demoKey: string;
  readonly dataDirectory: string;
  output(): string;
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function lastDescendantOf(pid: number): number {
  const [child] = childrenOf(pid);
  return child === undefined ? pid : lastDescendantOf(child);
}

describe.skipIf(process.platform !== 'linux')('npm start', () => {
  const { startedOnce } = temporaryStores();
  const started: NpmStart[] = [];
  afterEach(() => {
    for (const { pid } of started.splice(0)) if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL');
  });

  async function npmStart(): Promise<NpmStart> {
    const dataDirectory = await startedOnce();
    const { DATABASE_URL: _, REDIS_URL: __, ...inherited } = process.env;
    // A separate process group, like that of a command started in a terminal.
    const npm = spawn('npm', ['start'], {
      cwd: ROOT,
      detached: true,
      env: { ...inherited, PORT: '0', LOG_LEVEL: 'silent', SHUTDOWN_DELAY_MS: '0', DATA_DIR: dataDirectory },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (output += chunk));
    await eventually(() => expect(output).toMatch(/X-Api-Key/));
    const [address = ''] = /http:\S+(?=\/v1)/.exec(output) ?? [];
    const [demoKey = ''] = /cms_\w+/.exec(output) ?? [];
    const pid = lastDescendantOf(npm.pid as number);
    const service = { npm, pid, address, demoKey, dataDirectory, output: () => output };
    started.push(service);
    return service;
  }

  /** A request whose body is sent in two parts. */
  function submitSlowly({ address, demoKey }: NpmStart) {
    const body = JSON.stringify({ description: 'Sent in two parts' });
    const submission = request(`${address}/v1/prayer-requests`, {
      method: 'POST',
      headers: {
        'X-Api-Key': demoKey,
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

  async function expectAllReleased({ pid, address, dataDirectory }: NpmStart): Promise<void> {
    await eventually(() => expect(existsSync(`/proc/${pid}`)).toBe(false));
    await expect(fetch(address)).rejects.toThrow('fetch failed');
    await (await lockDirectory(dataDirectory)).release();
  }

  it('leaves no processes or files when npm gets SIGTERM', async () => {
    const service = await npmStart();
    service.npm.kill('SIGTERM');
    await expectAllReleased(service);
  });

  it('stops once on Ctrl-C, which all processes of the terminal receive, without printing an error, and completes requests in flight', async () => {
    const service = await npmStart();
    const before = service.output();
    const submission = submitSlowly(service);
    await submission.arrived;
    const ended = once(service.npm, 'close');
    process.kill(-(service.npm.pid as number), 'SIGINT');
    await eventually(() => expect(fetch(`${service.address}/livez`)).rejects.toThrow('fetch failed'));
    // As npm does if its shell replaces itself with the command.
    process.kill(service.pid, 'SIGINT');
    expect(await submission.finish()).toBe(201);
    await ended;
    expect(service.output().slice(before.length).trim()).toBe('');
    await expectAllReleased(service);
  });
});
