import { expect, it } from 'vitest';
import { flat } from './verdict.ts';

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

it('reports growth above the limit with its rate', () => {
  const { holds, figures } = flat('heap', measured(1, 1), MB / 2);
  expect(holds).toBe(false);
  expect(figures).toMatch(/^1\.0\d ± 0\.\d\d MB a minute over 50 samples, at most 0\.50$/);
});
