import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Installs the packages of the clients, some hundred megabytes, unless they are installed already.

const folder = new URL('.', import.meta.url);
if (changedAt('node_modules/.package-lock.json') < changedAt('package-lock.json')) {
  const args = ['ci', '--silent', '--prefer-offline', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', args, { cwd: fileURLToPath(folder), stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}

function changedAt(path) {
  return statSync(new URL(path, folder), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
