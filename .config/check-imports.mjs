import { spawnSync } from 'node:child_process';

// A checker that cannot parse TypeScript finds no modules, and therefore no errors.
const FEWEST_MODULES = 80;

const { stdout, stderr, status } = spawnSync(
  process.execPath,
  ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.config/dependency-cruiser.cjs', '--output-type', 'json', 'src', 'test'],
  { encoding: 'utf8', maxBuffer: 1 << 28 },
);
if (!stdout) {
  process.stderr.write(stderr);
  process.exit(status || 1);
}
const { modules, summary } = JSON.parse(stdout);
const own = modules.filter(({ source }) => source.startsWith('src/'));
for (const { rule, from, to } of summary.violations) {
  process.stderr.write(`${rule.name}: ${from} → ${to}\n`);
}
if (own.length < FEWEST_MODULES) {
  process.stderr.write(`only ${own.length} modules were read; at least ${FEWEST_MODULES} were expected\n`);
  process.exit(1);
}
process.stdout.write(`${own.length} modules, ${summary.violations.length} imports in a wrong direction\n`);
process.exit(summary.violations.length > 0 ? 1 : 0);
