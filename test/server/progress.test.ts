import pino from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { reportWhile } from '../../src/server/progress.ts';

afterEach(() => {
  vi.useRealTimers();
});

function started() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(line) });
  let end: (value: string) => void = () => {};
  const work = new Promise<string>((resolve) => {
    end = resolve;
  });
  return { lines, end, result: reportWhile('Opening the database', work, log) };
}

it('a start that takes long is reported every two seconds', async () => {
  const { lines, end, result } = started();
  vi.advanceTimersByTime(4_500);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 30, seconds: 2, msg: 'Opening the database' },
    { level: 30, seconds: 4, msg: 'Opening the database' },
  ]);
  end('opened');
  expect(await result).toBe('opened');
  vi.advanceTimersByTime(10_000);
  expect(lines).toHaveLength(2);
});
