import { afterEach, describe, expect, it, vi } from 'vitest';
import { type EmbeddedDatabaseEvent, superviseDatabase } from '../../../src/store/embedded/supervisor.ts';
import { type DatabaseThreadOptions, watchHeartbeat } from '../../../src/store/embedded/thread.ts';
import { times } from '../../support/data.ts';

describe('the heartbeat of the thread', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  function watched(limit: { ms: number }) {
    vi.useFakeTimers();
    let beats = 0;
    const hangs = vi.fn();
    watchHeartbeat(
      () => beats,
      () => limit.ms,
      hangs,
    );
    return { hangs, beat: () => beats++ };
  }

  it('reports nothing while it continues within the limit, which can change', () => {
    const limit = { ms: 1_000 };
    const { hangs, beat } = watched(limit);
    for (const _ of times(20, String)) {
      vi.advanceTimersByTime(900);
      beat();
    }
    limit.ms = 3_000;
    vi.advanceTimersByTime(2_900);
    expect(hangs).not.toHaveBeenCalled();
  });

  it('does not count the time for which the process was suspended', () => {
    const { hangs } = watched({ ms: 1_000 });
    vi.advanceTimersByTime(500);
    vi.setSystemTime(Date.now() + 3_600_000);
    vi.advanceTimersByTime(400);
    expect(hangs).not.toHaveBeenCalled();
  });
});

describe('the supervisor', () => {
  /** Threads that start or fail as specified by the test, with delays that end immediately. */
  function supervised(starts: ('starts' | 'fails')[]) {
    const events: EmbeddedDatabaseEvent[] = [];
    const threads: { fail(reason: string): void }[] = [];
    const run = async ({ onListening, onFailure, signal }: DatabaseThreadOptions) => {
      if (starts.shift() === 'fails') return onFailure('no room');
      await new Promise<void>((end) => {
        signal.addEventListener('abort', () => end());
        threads.push({
          fail(reason) {
            onFailure(reason);
            end();
          },
        });
        onListening();
      });
    };
    const waits: number[] = [];
    const opened = superviseDatabase({
      folder: '',
      socketPath: '',
      statementLimitMs: 1,
      idleInTransactionMs: 1,
      restarts: true,
      run,
      onEvent: (event) => events.push(event),
      wait: async (ms) => waits.push(ms),
    });
    return { opened, events, threads, waits };
  }

  it('increases the delay up to 30 s while the database does not start', async () => {
    const { opened, events, threads, waits } = supervised(['starts', ...times(9, () => 'fails' as const), 'starts']);
    const database = await opened;
    threads[0]?.fail('it hangs');
    await vi.waitFor(() => expect(events.at(-1)).toEqual({ type: 'recovered' }));
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000]);
    expect(events[0]).toEqual({ type: 'failed', reason: 'it hangs', retryMs: 500 });
    expect(events[1]).toEqual({ type: 'failed', reason: 'no room', retryMs: 1_000 });
    expect(database.failure()).toBeUndefined();
  });
});
