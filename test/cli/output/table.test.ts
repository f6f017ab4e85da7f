import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { record } from '../../../src/cli/output/output.ts';
import { table } from '../../../src/cli/output/table.ts';
import * as processes from '../../../src/processes/terminal.ts';
import { terminalOf } from '../../support/processes/cli.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-28T12:00:00Z'), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const ID = `key_${'0'.repeat(26)}`;
const KEYS = [
  {
    name: 'The website of the parish',
    id: ID,
    state: 'active',
    used_at: '2026-11-26T11:00:00.000Z',
    scopes: 'tags.view',
  },
  { name: '写真', id: ID, state: 'revoked', used_at: '2026-11-28T12:00:00.000Z', scopes: 'all' },
];
const COLUMNS = ['name', 'id', 'state', 'used_at', 'scopes'] as const;
const lines = (columns: number | undefined) =>
  table(columns ? terminalOf(columns) : undefined, KEYS, COLUMNS, 'none')
    .replaceAll(/<[^>]+>/g, '')
    .split('\n');

it('is complete if the output is not a terminal', () => {
  expect(lines(undefined)).toEqual([
    `NAME                       ID                              STATE    USED                      SCOPES`,
    `The website of the parish  ${ID}  active   2026-11-26T11:00:00.000Z  tags.view`,
    `写真                       ${ID}  revoked  2026-11-28T12:00:00.000Z  all`,
    '',
  ]);
});

it('has relative times on a terminal', () => {
  expect(lines(120).slice(1, 3)).toEqual([
    `The website of the parish  ${ID}  active   2 days ago  tags.view`,
    `写真                       ${ID}  revoked  now         all`,
  ]);
});

it.each([
  [80, `The website of …  ${ID}  active   2 days ago  tags.view`, ''],
  [79, `The website of the parish  ${ID}  active   2 days ago`, 'SCOPES'],
  [60, `The website of the…  ${ID}  active`, 'USED, SCOPES'],
  [20, 'The website of the …', 'ID, STATE, USED, SCOPES'],
])('fits %d columns: texts are shortened, ids are not, and the last columns are left out', (width, first, hidden) => {
  const shown = lines(width);
  expect(shown[1]).toBe(first);
  expect(shown[3]).toBe(hidden && `Not shown: ${hidden}; use a wider terminal, or --json.`);
});

it('leaves out empty columns on a terminal', () => {
  const rows = [{ name: 'Choir', email: null }];
  expect(table(terminalOf(80), rows, ['name', 'email'], '')).not.toContain('EMAIL');
  expect(table(undefined, rows, ['name', 'email'], '')).toBe('NAME   EMAIL\nChoir  -\n');
});

it('marks the header and the states', () => {
  expect(table(terminalOf(80), [{ state: 'revoked', n: 1 }], ['state', 'n'], '')).toBe(
    '<bold>STATE</bold>    <bold>N</bold>\n<red>revoked</red>  1\n',
  );
});

it.each([
  ['2026-11-28T11:59:30Z', '30 seconds ago'],
  ['2026-11-28T10:30:00Z', '90 minutes ago'],
  ['2026-11-27T12:00:00Z', '24 hours ago'],
  ['2027-01-12T12:00:00Z', 'in 45 days'],
  ['2027-11-28T12:00:00Z', 'in 12 months'],
  ['2020-11-28T12:00:00Z', '6 years ago'],
])('a record on a terminal shows %s as %s too', (time, relative) => {
  expect(record(terminalOf(80), { at: time })).toBe(`<dim>at:</dim> ${time} (${relative})\n`);
  expect(record(undefined, { at: time })).toBe(`at: ${time}\n`);
});

it.each<[string, object, string, string?]>([
  ['a terminal', { isTTY: true, getColorDepth: () => 8 }, '\x1b[32mactive\x1b[39m'],
  // With NO_COLOR, for example.
  ['a terminal without colors', { isTTY: true, getColorDepth: () => 1 }, 'active'],
  ['a file', {}, 'active'],
  // Of an editor, for example: it shows escape codes as they are, also those of updating lines.
  ['a dumb terminal', { isTTY: true, getColorDepth: () => 8 }, 'active', 'dumb'],
])('styles texts for %s only if it has colors', (_, properties, expected, term = 'xterm') => {
  vi.stubEnv('FORCE_COLOR', undefined);
  vi.stubEnv('TERM', term);
  const stream = Object.assign(new PassThrough(), properties) as unknown as NodeJS.WriteStream;
  expect(processes.styled(processes.terminalOf(stream), 'green', 'active')).toBe(expected);
});
