import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const REPOSITORY = join(import.meta.dirname, '../../..');
const START_MS = 30_000;

export interface RunningService {
  /** Where it listens, for example `http://127.0.0.1:4000`. */
  readonly address: string;
  /** A key of the demo organization with every scope. */
  readonly key: string;
  stop(): Promise<void>;
}

/** Starts the service as it stands in `src/`, with the demo data in a folder of its own. */
export async function startService(environment: Record<string, string> = {}): Promise<RunningService> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'cms-clients-'));
  const service = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: REPOSITORY,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDirectory,
      RATE_LIMIT_PER_MINUTE: '100000',
      LOG_LEVEL: 'silent',
      ...environment,
    },
  });
  const stop = async () => {
    if (service.exitCode === null && service.signalCode === null) {
      service.kill();
      await once(service, 'exit');
    }
    await rm(dataDirectory, { recursive: true, force: true });
  };
  try {
    return { ...(await welcomeOf(service)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What the service prints once it listens. */
function welcomeOf(service: ChildProcess): Promise<{ address: string; key: string }> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const fail = (reason: string) => reject(new Error(`The service ${reason}. It printed:\n${printed}`));
    const timer = setTimeout(() => fail(`did not start within ${START_MS} ms`), START_MS);
    const read = (chunk: Buffer) => {
      printed += chunk;
      const address = /(http:\/\/[\d.:]+)\/v1\s/.exec(printed)?.[1];
      const key = /Demo key\s+(\w+)\s/.exec(printed)?.[1];
      if (!address || !key) return;
      clearTimeout(timer);
      resolve({ address, key });
    };
    service.stdout?.on('data', read);
    service.stderr?.on('data', read);
    service.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
}
