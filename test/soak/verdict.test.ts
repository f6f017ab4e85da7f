import { expect, it } from 'vitest';
import { flat, slopeOf } from './verdict.ts';

const MB = 2 ** 20;

/** Bytes every tenth of a minute, with a periodic disturbance. */
const measured = (perMinute: number, noise: number) =>
  Array.from({ length: 50 }, (_, n) => ({
    minutes: n / 10,
    value: 100 * MB + (perMinute * n * MB) / 10 + (((n * 7919) % 13) / 13 - 0.5) * noise * MB,
  }));

it('accepts memory that only fluctuates', () => {
  expect(flat('heap', measured(0, 4), MB / 2)).toMatchObject({ what: 'heap', holds: true });
});

it('accepts memory that shrinks', () => {
  expect(flat('heap', measured(-3, 1), MB / 2).holds).toBe(true);
});

it('reports growth above the limit with its rate', () => {
  const { holds, figures } = flat('heap', measured(1, 1), MB / 2);
  expect(holds).toBe(false);
  expect(figures).toMatch(/^1\.0\d ± 0\.\d\d MB a minute over 50 samples, at most 0\.50$/);
});

it('returns the exact slope of a straight line', () => {
  const points = [0, 1, 2, 3].map((minutes) => ({ minutes, value: 5 + 2 * minutes }));
  expect(slopeOf(points)).toEqual({ perMinute: 2, uncertainty: 0 });
});

it('requires more than two measurements', () => {
  expect(() => slopeOf([{ minutes: 0, value: 1 }])).toThrow(/three/);
});
