import { afterEach, describe, expect, it, vi } from 'vitest';
import { type EmbeddedDatabaseEvent, superviseDatabase } from '../../../src/store/embedded/supervisor.ts';
import type { DatabaseThread } from '../../../src/store/embedded/thread.ts';
import { createWatchdog } from '../../../src/store/embedded/watchdog.ts';
import { times } from '../../support/data.ts';

describe('the watchdog', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  function watched(limitMs: number) {
    vi.useFakeTimers();
    let beats = 0;
    const hung: number[] = [];
    const watchdog = createWatchdog({ beats: () => beats, limitMs, intervalMs: 100, onHang: (ms) => hung.push(ms) });
    return { watchdog, hung, beat: () => beats++ };
  }

  it('reports once if there was no heartbeat for longer than the limit', () => {
    const { hung } = watched(1_000);
    vi.advanceTimersByTime(900);
    expect(hung).toEqual([]);
    vi.advanceTimersByTime(5_000);
    expect(hung).toEqual([1_000]);
  });

  it('reports nothing while heartbeats arrive within the limit', () => {
    const { hung, beat } = watched(1_000);
    for (const _ of times(20, String)) {
      vi.advanceTimersByTime(900);
      beat();
    }
    expect(hung).toEqual([]);
  });

  it('does not count the time for which the process was suspended', () => {
    const { hung } = watched(1_000);
    vi.advanceTimersByTime(500);
    vi.setSystemTime(Date.now() + 3_600_000);
    vi.advanceTimersByTime(400);
    expect(hung).toEqual([]);
  });

  it('applies a new limit', () => {
    const { hung, watchdog } = watched(1_000);
    watchdog.setLimit(3_000);
    vi.advanceTimersByTime(2_900);
    expect(hung).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(hung).toEqual([3_000]);
  });
});

describe('the supervisor', () => {
  /** Threads that start or fail as specified by the test, with delays that end immediately. */
  function supervised(starts: ('starts' | 'fails')[], maxRestarts: number) {
    const events: EmbeddedDatabaseEvent[] = [];
    const threads: { fail(reason: string): void; closed: boolean }[] = [];
    const start = async (): Promise<DatabaseThread> => {
      if (starts.shift() === 'fails') throw new Error('no room');
      let fail: (reason: string) => void = () => {};
      const failed = new Promise<string>((resolve) => {
        fail = resolve;
      });
      const thread = { fail, closed: false };
      threads.push(thread);
      return {
        failed,
        ended: failed.then(() => {}),
        setStatementLimit: () => {},
        close: async () => {
          thread.closed = true;
        },
      };
    };
    const waits: number[] = [];
    const opened = superviseDatabase({
      folder: '',
      socketPath: '',
      statementLimitMs: 1,
      idleInTransactionMs: 1,
      maxRestarts,
      start,
      onEvent: (event) => events.push(event),
      wait: async (ms) => {
        waits.push(ms);
      },
    });
    return { opened, events, threads, waits };
  }

  it('increases the delay, and gives up after the maximum number of failed starts', async () => {
    const { opened, events, threads, waits } = supervised(['starts', ...times(9, () => 'fails' as const)], 9);
    const database = await opened;
    threads[0]?.fail('it hangs');
    await vi.waitFor(() => expect(events.at(-1)).toEqual({ type: 'gaveUp', reason: 'no room' }));
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(events[0]).toEqual({ type: 'failed', reason: 'it hangs', retryMs: 500 });
    expect(database.failure()).toBe('no room');
  });

  it('recovers when a start succeeds, and increases the delay if it soon fails again', async () => {
    const { opened, events, threads, waits } = supervised(['starts', 'fails', 'starts', 'starts'], 3);
    const database = await opened;
    threads[0]?.fail('it hangs');
    await vi.waitFor(() => expect(events.at(-1)).toEqual({ type: 'recovered' }));
    expect(database.failure()).toBeUndefined();
    threads[1]?.fail('it hangs again');
    await vi.waitFor(() => expect(threads).toHaveLength(3));
    expect(waits).toEqual([500, 1_000, 1_000]);
  });

  it('closes the running thread and starts no new one', async () => {
    const { opened, threads } = supervised(['starts', 'starts'], 3);
    const database = await opened;
    await database.close();
    threads[0]?.fail('it ended');
    expect(threads.map(({ closed }) => closed)).toEqual([true]);
  });

  it('reports a failed first start without a retry', async () => {
    const { opened, waits } = supervised(['fails', 'starts'], 3);
    await expect(opened).rejects.toThrow('no room');
    expect(waits).toEqual([]);
  });
});
