import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFaults, LastingFault } from '../../src/observability/lasting-fault.ts';
import { readSettings } from '../../src/settings.ts';
import { recordingLog } from '../support/apps.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function faults() {
  const { log, lines } = recordingLog();
  const settings = readSettings({
    DATABASE_URL: 'postgresql://cms:hunter2@one.example.org,two.example.org:5433/cms',
    REDIS_URL: 'rediss://:hunter2@redis.example.org:6380/1',
  });
  const messages = () => lines.splice(0).map(({ msg, server, reason, seconds }) => [msg, server, reason ?? seconds]);
  return { ...createFaults(settings, log), messages };
}

async function lasts(fault: LastingFault, milliseconds: number): Promise<void> {
  for (let n = 0; n < milliseconds / 500; n++) {
    fault.report(new Error('connect ECONNREFUSED'));
    await vi.advanceTimersByTimeAsync(500);
  }
}

it('is logged when it begins, once a minute while it lasts, and when it ends, with the server but no password', async () => {
  const { redis, messages } = faults();
  redis.endWhen(async () => true);
  const began = 'Redis is unavailable; this instance counts rate limits by itself';
  const line = [began, 'redis.example.org:6380/1', 'connect ECONNREFUSED'];
  await lasts(redis, 59_000);
  expect(messages()).toEqual([line]);
  await lasts(redis, 122_000);
  expect(messages()).toEqual([line, line, line]);
  expect(redis.isActive).toBe(true);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(redis.isActive).toBe(false);
  expect(messages()).toEqual([['Redis is available again', 'redis.example.org:6380/1', expect.closeTo(182, -1)]]);
});

it('lasts until its check succeeds', async () => {
  const { store, messages } = faults();
  let isOver = false;
  store.endWhen(async () => {
    if (!isOver) throw new Error('still down');
    return true;
  });
  store.report(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(messages()).toEqual([
    ['PostgreSQL is unavailable; requests get 503', 'one.example.org,two.example.org:5433/cms', 'ECONNREFUSED'],
  ]);
  isOver = true;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(messages()).toEqual([['PostgreSQL is available again', 'one.example.org,two.example.org:5433/cms', 11]]);
  await vi.advanceTimersByTimeAsync(200_000);
  expect(messages()).toEqual([]);
});

it.each([
  ['Connection terminated due to connection timeout', true, ', or this machine is overloaded'],
  ['PostgreSQL did not respond in time', true, ', or this machine is overloaded'],
  ['connect ECONNREFUSED 127.0.0.1:5432', true, ''],
  ['PostgreSQL did not respond in time', false, ''],
])('of %s, while the event loop was late: %s, says "…unavailable%s"', (reason, isLate, doubt) => {
  const { log, lines } = recordingLog();
  const description = { subject: 'PostgreSQL', server: 'db', consequence: 'requests get 503' };
  new LastingFault(log, description, () => isLate).report(new Error(reason));
  expect(lines.map(({ msg }) => msg)).toEqual([`PostgreSQL is unavailable${doubt}; requests get 503`]);
});
