import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createProgress } from '../../../src/cli/output/progress.ts';

const written: string[] = [];
const write = (text: string) => void written.push(text);

beforeEach(() => {
  vi.useFakeTimers();
  written.length = 0;
});
afterEach(() => void vi.useRealTimers());

it('draws a bar with rate and remaining time on a terminal, and clears it', () => {
  const display = createProgress('members.csv', true, write);
  vi.advanceTimersByTime(10_000);
  display.show({ rows: 25_000, resumed: 0, fraction: 0.25, rejected: 3, isReadingAddresses: false });
  display.show({ rows: 25_500, resumed: 0, fraction: 0.26, rejected: 3, isReadingAddresses: false });
  display.end();
  expect(written).toEqual([
    '\r\x1b[Kmembers.csv [######------------------] 25%, 25,000 rows, 2,500 rows/s, 0:30 left, 3 rejected',
    '\r\x1b[K',
  ]);
});

it.each([
  [100, 'members.csv [######------------------] 25%, 1 row, 0 rows/s, 0:30 left'],
  [45, 'members.csv: 25%, 1 row, 0 rows/s, 0:30 left'],
  [44, '25%, 1 row, 0 rows/s, 0:30 left'],
])('does not wrap on a terminal with %i columns', (columns, line) => {
  const display = createProgress('members.csv', true, write, () => columns);
  vi.advanceTimersByTime(10_000);
  display.show({ rows: 1, resumed: 0, fraction: 0.25, rejected: 0, isReadingAddresses: false });
  expect(written).toEqual([`\r\x1b[K${line}`]);
});

it('counts what the caller names', () => {
  const display = createProgress('members.csv', true, write, undefined, 'record');
  vi.advanceTimersByTime(2_000);
  display.show({ rows: 300, fraction: 0.5 });
  expect(written[0]).toMatch(/ 50%, 300 records, 150 records\/s, 0:02 left$/);
});

it('writes a line every five seconds without a terminal', () => {
  const display = createProgress('members.csv', false, write);
  for (let second = 1; second <= 12; second++) {
    vi.advanceTimersByTime(1_000);
    display.show({ rows: second * 1_000, resumed: 0, fraction: second / 12, rejected: 0, isReadingAddresses: false });
  }
  display.end();
  expect(written).toEqual([
    'members.csv: 8%, 1,000 rows, 1,000 rows/s, 0:11 left\n',
    'members.csv: 50%, 6,000 rows, 1,000 rows/s, 0:06 left\n',
    'members.csv: 91%, 11,000 rows, 1,000 rows/s, 0:02 left\n',
  ]);
});
