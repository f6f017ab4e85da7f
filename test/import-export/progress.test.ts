import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createProgress } from '../../src/import-export/files/progress.ts';

const written: string[] = [];
const write = (text: string) => void written.push(text);

beforeEach(() => {
  vi.useFakeTimers();
  written.length = 0;
});
afterEach(() => void vi.useRealTimers());

it('is a bar on a terminal, with rate and time left, and leaves nothing behind', () => {
  const display = createProgress('members.csv', true, write);
  vi.advanceTimersByTime(10_000);
  display.show({ rows: 25_000, resumed: 0, part: 0.25, rejected: 3 });
  display.show({ rows: 25_500, resumed: 0, part: 0.26, rejected: 3 });
  display.end();
  expect(written).toEqual([
    '\r\x1b[Kmembers.csv [######------------------] 25%, 25,000 rows, 2,500 a second, 0:30 left, 3 rejected',
    '\r\x1b[K',
  ]);
});

it('is a plain line every five seconds elsewhere', () => {
  const display = createProgress('members.csv', false, write);
  for (let second = 1; second <= 12; second++) {
    vi.advanceTimersByTime(1_000);
    display.show({ rows: second * 1_000, resumed: 0, part: second / 12, rejected: 0 });
  }
  display.end();
  expect(written).toEqual([
    'members.csv: 8%, 1,000 rows, 1,000 a second, 0:11 left\n',
    'members.csv: 50%, 6,000 rows, 1,000 a second, 0:06 left\n',
    'members.csv: 91%, 11,000 rows, 1,000 a second, 0:02 left\n',
  ]);
});

it('takes the rate from this run alone where an interrupted one was taken up', () => {
  const display = createProgress('members.csv', false, write);
  vi.advanceTimersByTime(10_000);
  display.show({ rows: 60_000, resumed: 50_000, part: 0.6, rejected: 0 });
  expect(written).toEqual(['members.csv: 60%, 60,000 rows, 1,000 a second, 0:40 left\n']);
});
