import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Installs the packages of the peers and generates their Prisma Client, unless that is done already.

const folder = new URL('.', import.meta.url);
const installed = changedAt('node_modules/.package-lock.json');
if (installed < changedAt('package-lock.json')) {
  process.stderr.write('installing the peers\n');
  run('npm', 'ci', '--silent', '--ignore-scripts', '--no-audit', '--no-fund');
}
if (changedAt('peers/prisma/generated/client.ts') < Math.max(installed, changedAt('peers/prisma/schema.prisma'))) {
  run('npm', 'run', '--silent', 'generate');
}

function changedAt(path) {
  return statSync(new URL(path, folder), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function run(command, ...args) {
  const { status } = spawnSync(command, args, { cwd: fileURLToPath(folder), stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}
