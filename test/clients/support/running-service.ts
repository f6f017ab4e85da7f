import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ended, printed } from './child.ts';
import { REPOSITORY } from './tool.ts';

export interface RunningService {
  /** Its URL, for example `http://127.0.0.1:4000`. */
  readonly address: string;
  /** A key of the demo organization with every scope. */
  readonly key: string;
  /** Its data directory, as an environment variable of the command line. */
  readonly dataDirectory: string;
  stop(): Promise<void>;
}

/** Starts the service from `src/`, with the demo data in a new data directory. */
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
    await ended(service);
    await rm(dataDirectory, { recursive: true, force: true });
  };
  try {
    const { address, key } = await printed(service, 'The service', (text) => {
      const address = /(http:\/\/[\d.:]+)\/v1\s/.exec(text)?.[1];
      const key = /Demo key\s+(\w+)\s/.exec(text)?.[1];
      return address && key ? { address, key } : undefined;
    });
    return { address, key, dataDirectory, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
