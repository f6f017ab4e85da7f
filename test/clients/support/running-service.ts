import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../support/processes/running.ts';

export interface RunningService {
  /** Its URL, for example `http://127.0.0.1:4000`. */
  readonly address: string;
  /** A key of the demo organization with every scope. */
  readonly key: string;
  readonly dataDirectory: string;
  stop(): Promise<void>;
}

/** Starts the built service with the demo data in a new data directory. */
export async function startDemo(environment: Record<string, string> = {}): Promise<RunningService> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'cms-clients-'));
  const service = await startService({ DATA_DIR: dataDirectory, RATE_LIMIT_PER_MINUTE: '100000', ...environment });
  const [key = ''] = /cms_\w+/.exec(service.output()) ?? [];
  const stop = async () => {
    await service.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
  return { address: service.address, key, dataDirectory, stop };
}
