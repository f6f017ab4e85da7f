import { expect, it, vi } from 'vitest';
import { eventStream } from '../../../src/http/response/event-stream.ts';

const MB = 1024 * 1024;

/** Events of a size, as many as are read; counts those that were requested and whether they were closed. */
function events(size: number) {
  const source = {
    requested: 0,
    isClosed: false,
    next: async () => {
      source.requested += 1;
      return { done: false as const, value: 'x'.repeat(size) };
    },
    return: async () => {
      source.isClosed = true;
      return { done: true as const, value: undefined };
    },
  };
  return source;
}

const noConnection = () => ({ destroy: vi.fn() });

it('requests the next events only when the client has read the previous ones', async () => {
  const source = events(10);
  const reader = eventStream(source, noConnection()).getReader();
  await reader.read();
  await new Promise(setImmediate);
  expect(source.requested).toBe(1);
  await reader.read();
  expect(source.requested).toBe(2);
  await reader.cancel();
  expect(source.isClosed).toBe(true);
});

it('reports an error of the events, and closes the connection', async () => {
  const connection = noConnection();
  const onError = vi.fn();
  const error = new Error('no more events');
  const reader = eventStream({ next: () => Promise.reject(error) }, connection, onError).getReader();
  void reader.read();
  await vi.waitFor(() => expect(connection.destroy).toHaveBeenCalledOnce());
  expect(onError.mock.calls).toEqual([[error]]);
  await reader.cancel();
});

it('sends a comment at each interval while there is no event', async () => {
  // Not the timers of other files, which are counted too.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const reader = eventStream({ next: () => new Promise(() => {}) }, noConnection()).getReader();
    for (let count = 0; count < 2; count++) {
      const read = reader.read();
      await vi.advanceTimersByTimeAsync(15_000);
      expect(Buffer.from((await read).value as Uint8Array).toString()).toBe(':\n\n');
    }
    await reader.cancel();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

it('closes the connection of a client that reads nothing for a minute', async () => {
  vi.useFakeTimers();
  try {
    const connection = noConnection();
    const reader = eventStream(events(10), connection).getReader();
    await reader.read();
    await vi.advanceTimersByTimeAsync(59_000);
    expect(connection.destroy).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(connection.destroy).toHaveBeenCalled();
    await reader.cancel();
  } finally {
    vi.useRealTimers();
  }
});

it('closes the connections that have read nothing for the longest time if all have too much unread data', async () => {
  const streams = await Promise.all(
    Array.from({ length: 9 }, async () => {
      const connection = noConnection();
      const reader = eventStream(events(8 * MB), connection).getReader();
      await reader.read();
      return { connection, reader };
    }),
  );
  expect(streams.map(({ connection }) => connection.destroy.mock.calls.length)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0]);
  for (const { reader } of streams) await reader.cancel();
});

it('counts the events that arrive while a comment is unread', async () => {
  vi.useFakeTimers();
  try {
    const streams = Array.from({ length: 9 }, () => {
      const connection = noConnection();
      let deliver = (_events: IteratorResult<string>) => {};
      const next = () => new Promise<IteratorResult<string>>((resolve) => (deliver = resolve));
      const reader = eventStream({ next }, connection).getReader();
      return { connection, reader, comment: reader.read(), deliver: () => deliver({ value: 'x'.repeat(8 * MB - 3) }) };
    });
    await vi.advanceTimersByTimeAsync(15_000);
    for (const { comment, deliver } of streams) {
      await comment;
      deliver();
    }
    await vi.advanceTimersByTimeAsync(0);
    expect(streams.map(({ connection }) => connection.destroy.mock.calls.length)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0]);
    for (const { reader } of streams) await reader.cancel();
  } finally {
    vi.useRealTimers();
  }
});
