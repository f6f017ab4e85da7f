import { expect, inject, it } from 'vitest';
import { runCli } from '../support/processes/cli.ts';

const databaseUrl = inject('databaseUrl');
const environment: Record<string, string> = databaseUrl
  ? { DATABASE_URL: databaseUrl }
  : { DATA_DIR: inject('dataDirectory') };

it.each([
  ['--description', ['key', 'update', 'key_unknown', '--description', 'x'.repeat(10_000)]],
  ['--code', ['key', 'requests', 'key_unknown', '--code', 'x'.repeat(101)]],
  ['--limit', ['key', 'requests', 'key_unknown', '--limit', '0']],
  ['--days', ['key', 'usage', 'key_unknown', '--days', '0']],
  ['--before', ['audit', '--organization', 'org_unknown', '--before', 'x']],
])('errors that name the option %s', async (option, command) => {
  const { code, err } = await runCli(environment, ...command, '--json');
  expect(code).toBe(1);
  expect(JSON.parse(err).error.details.map(({ field }: { field: string }) => field)).toEqual([option]);
});
