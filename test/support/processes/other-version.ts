import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILE_ONCE } from './child.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What another version of the built service has. */
export interface OtherVersion {
  readonly version: string;
  /** The SQL of further migrations, by name. */
  readonly migrations?: Readonly<Record<string, string>>;
  /** The last migration of the repository that it has; by default all. */
  readonly until?: string;
}

/**
 * Copies the built service with another version number and other migrations to a new folder.
 *
 * @returns the scripts of the service and of its command line.
 */
export async function createVersion(folder: string, { version, migrations = {}, until = '9' }: OtherVersion) {
  const description = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const isKept = (path: string) => !/\/\d{14}_/.test(path) || (/\/(\d{14}_\w+)/.exec(path)?.[1] ?? '') <= until;
  await cp(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
  await cp(join(ROOT, 'prisma'), join(folder, 'prisma'), { recursive: true, filter: isKept });
  for (const linked of ['node_modules', 'src', 'docs']) await symlink(join(ROOT, linked), join(folder, linked));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...description, version }));
  for (const [name, sql] of Object.entries(migrations)) {
    await mkdir(join(folder, 'prisma/migrations', name));
    await writeFile(join(folder, 'prisma/migrations', name, 'migration.sql'), sql);
  }
  return {
    main: join(folder, 'dist/main.js'),
    cli: join(folder, 'dist/cli/main.js'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Starts a command of a version. */
export function startCommand(cli: string, environment: Record<string, string>, ...args: string[]) {
  const child = spawn('node', [...COMPILE_ONCE, cli, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, out, err })),
  );
  return { kill: () => child.kill('SIGKILL'), ended };
}
