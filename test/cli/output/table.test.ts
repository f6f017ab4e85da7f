import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { record } from '../../../src/cli/output/output.ts';
import { table } from '../../../src/cli/output/table.ts';
import { terminalOf } from '../../support/processes/cli.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-28T12:00:00Z'), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const ID = `key_${'0'.repeat(26)}`;
const KEYS = [
  { name: 'The website of the parish', id: ID, state: 'active', at: '2026-11-26T11:00:00.000Z', scopes: 'tags.view' },
  { name: '写真', id: ID, state: 'revoked', at: '2026-11-28T12:00:00.000Z', scopes: 'all' },
];
const COLUMNS = { NAME: 'name', ID: 'id', STATE: 'state', USED: 'at', SCOPES: 'scopes' } as const;
const lines = (columns: number | undefined) =>
  table(columns ? terminalOf(columns) : undefined, KEYS, COLUMNS, 'none')
    .replaceAll(/<[^>]+>/g, '')
    .split('\n');

it('is complete where there is no terminal', () => {
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
  [80, ['NAME', 'ID', 'STATE', 'USED']],
  [60, ['NAME', 'ID', 'STATE']],
  [20, ['NAME']],
])('fits %d columns: texts are shortened, ids are not, and the last columns are left out', (width, shown) => {
  const [header = '', first = '', , note] = lines(width);
  expect(header.split(/ +/)).toEqual(shown);
  expect(header.length).toBeLessThanOrEqual(width);
  expect(first.startsWith('The website of …')).toBe(width < 80);
  expect(first.includes(ID)).toBe(shown.includes('ID'));
  const hidden = Object.keys(COLUMNS).slice(shown.length).join(', ');
  expect(note).toBe(`Not shown: ${hidden}; use a wider terminal, or --json.`);
});

it('marks the header and the states', () => {
  const [key] = KEYS.slice(1);
  expect(table(terminalOf(80), [key], { STATE: (row) => row?.state ?? null, N: () => 1 }, '')).toBe(
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
