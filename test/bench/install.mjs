import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Installs the packages of the peers, unless that is done already.

for (const folder of ['./', './peers/postgraphile/'].map((path) => new URL(path, import.meta.url))) {
  const changedAt = (path) => statSync(new URL(path, folder), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json')) continue;
  process.stderr.write(`installing the packages of ${fileURLToPath(folder)}\n`);
  const { status } = spawnSync('npm', ['ci', '--silent', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: fileURLToPath(folder),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.exitCode ||= status ?? 1;
}
