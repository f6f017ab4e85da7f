import { afterEach, expect, it, vi } from 'vitest';
import { watchHeartbeat } from '../../../src/store/embedded/supervisor.ts';
import { times } from '../../support/data.ts';

afterEach(() => {
  vi.useRealTimers();
});

function watched(limit: { ms: number }) {
  vi.useFakeTimers();
  const checksSinceHeartbeat = new Int32Array(1);
  const onHang = vi.fn();
  watchHeartbeat(checksSinceHeartbeat, () => limit.ms, onHang);
  const beat = () => {
    checksSinceHeartbeat[0] = 0;
  };
  return { onHang, beat };
}

it('reports nothing while there are heartbeats within the limit, which can change', () => {
  const limit = { ms: 1_000 };
  const { onHang, beat } = watched(limit);
  for (const _ of times(20, String)) {
    vi.advanceTimersByTime(900);
    beat();
  }
  limit.ms = 3_000;
  vi.advanceTimersByTime(2_900);
  expect(onHang).not.toHaveBeenCalled();
});

it('reports once when there was no heartbeat within the limit', () => {
  const { onHang } = watched({ ms: 1_000 });
  vi.advanceTimersByTime(900);
  expect(onHang).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10_000);
  expect(onHang).toHaveBeenCalledOnce();
});

it('does not count the time for which the process was suspended', () => {
  const { onHang } = watched({ ms: 1_000 });
  vi.advanceTimersByTime(500);
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(400);
  expect(onHang).not.toHaveBeenCalled();
});
