import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Installs the packages of the peers, unless that is done already.

const folder = new URL('.', import.meta.url);
if (changedAt('node_modules/.package-lock.json') < changedAt('package-lock.json')) {
  process.stderr.write('installing the peers\n');
  const { status } = spawnSync('npm', ['ci', '--silent', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: fileURLToPath(folder),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.exitCode = status ?? 1;
}

function changedAt(path) {
  return statSync(new URL(path, folder), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
