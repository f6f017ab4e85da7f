import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { serviceGraphQL, serviceRest } from './dialects/service.ts';
import type { Progress } from './report/progress.ts';
import { service, type Target } from './targets.ts';
import type { World } from './world.ts';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** The service on its embedded database, with the same records. */
export interface Embedded {
  readonly targets: readonly Target[];
  remove(): Promise<void>;
}

/** Copies a data set into an embedded database, with `backup` and `restore` like an operator. */
export async function copyToEmbedded({ databaseUrl }: World, progress: Progress): Promise<Embedded> {
  const folder = await mkdtemp(join(tmpdir(), 'cms-bench-'));
  const [file, dataDirectory] = [join(folder, 'backup.gz'), join(folder, 'data')];
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    progress.note('copying the data set into an embedded database');
    await cms({ DATABASE_URL: databaseUrl }, 'backup', file);
    await cms({ DATABASE_URL: '', DATA_DIR: dataDirectory }, 'restore', file);
  } catch (error) {
    await remove();
    throw error;
  }
  const environment = { ...service.environment, DATABASE_URL: '', DATA_DIR: dataDirectory };
  const program = { ...service, name: 'service-embedded', environment };
  return {
    targets: [
      { name: 'rest-embedded', title: 'REST, embedded', program, dialect: serviceRest, without: ['departments'] },
      { name: 'graphql-embedded', title: 'GraphQL, embedded', program, dialect: serviceGraphQL },
    ],
    remove,
  };
}

async function cms(environment: Record<string, string>, ...words: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [CLI, ...words, '--json'], { env: { ...process.env, ...environment } });
}
