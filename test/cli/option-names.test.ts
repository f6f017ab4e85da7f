import { expect, it } from 'vitest';
import { cms, newKey } from './commands/commands.ts';

/** Replaced by the id of a key that exists, as a command on an unknown key names the key. */
const KEY = 'KEY';

it.each([
  ['--description', ['key', 'update', KEY, '--description', 'x'.repeat(10_000)]],
  ['--code', ['key', 'requests', KEY, '--code', 'x'.repeat(101)]],
  [
    '--rate',
    ['key', 'create', '--organization', 'x', '--name', 'x', '--expires', '30', '--scopes', 'all', '--rate', 'abc'],
  ],
  ['--country', ['organization', 'create', '--name', 'X', '--country', 'ZZ']],
  ['--time-zone', ['organization', 'update', 'org_unknown', '--time-zone', 'Lagos']],
  ['--password-stdin', ['admin', 'create', '--organization', 'x', '--email', 'x@example.org']],
  ['--mapping', ['import', '--organization', 'x', 'tags.csv', '--mapping', 'no-such-file']],
  ['--days', ['key', 'usage', KEY, '--days', '0']],
  ['--scopes', ['key', 'create', '--organization', 'x', '--name', 'x', '--expires', '30', '--scopes', 'nope']],
  ['--organization', ['audit']],
  ['--organization', ['audit', '--organization', 'org_unknown', '--no-organization']],
  ['--limit', ['audit', '--organization', 'org_unknown', '--limit', '0']],
  ['--before', ['audit', '--organization', 'org_unknown', '--before', 'x']],
])('%s is named if it is missing or invalid, with exit code 2', async (option, command) => {
  const { code, err } = await cms(...(await withKey(command)));
  expect(code).toBe(2);
  expect(JSON.parse(err).error.details.map(({ field }: { field: string }) => field)).toEqual([option]);
});

async function withKey(command: string[]): Promise<string[]> {
  if (!command.includes(KEY)) return command;
  const { key } = await newKey();
  return command.map((word) => (word === KEY ? key.id : word));
}
