import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { collectGarbageWhenIdle } from '../../src/server/unused-memory.ts';

/** Longer than the interval between two collections. */
const SOME_SECONDS = 7_000;
const A_MINUTE = 60_000;

describe('the memory that is no longer used', () => {
  const server = new EventEmitter();
  const collect = vi.fn();
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('gc', collect);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    collect.mockClear();
    server.removeAllListeners();
  });

  const pass = (milliseconds: number, requestsPerSecond: number) => {
    for (let second = 0; second < milliseconds / 1_000; second++) {
      for (let request = 0; request < requestsPerSecond; request++) server.emit('request');
      vi.advanceTimersByTime(1_000);
    }
  };

  it('is released by two collections after the start, although there are health checks', () => {
    collectGarbageWhenIdle(server);
    expect(collect).not.toHaveBeenCalled();
    pass(A_MINUTE, 1);
    expect(collect).toHaveBeenCalledTimes(2);
  });

  it('includes the pages that V8 keeps in a pool', () => {
    collectGarbageWhenIdle(server);
    pass(A_MINUTE, 0);
    expect(collect).toHaveBeenLastCalledWith(expect.objectContaining({ type: 'major', flavor: 'last-resort' }));
  });

  it('is not released while there are many requests, but afterwards', () => {
    collectGarbageWhenIdle(server);
    pass(A_MINUTE, 10);
    expect(collect).not.toHaveBeenCalled();
    pass(A_MINUTE, 0);
    expect(collect).toHaveBeenCalledTimes(2);
  });

  it('is released only if few requests follow one another for some time', () => {
    collectGarbageWhenIdle(server);
    pass(SOME_SECONDS, 0);
    expect(collect).toHaveBeenCalledTimes(1);
    pass(A_MINUTE, 10);
    expect(collect).toHaveBeenCalledTimes(1);
    pass(A_MINUTE, 0);
    expect(collect).toHaveBeenCalledTimes(3);
  });

  it('is released again after many requests', () => {
    collectGarbageWhenIdle(server);
    pass(A_MINUTE, 0);
    pass(SOME_SECONDS, 100);
    expect(collect).toHaveBeenCalledTimes(2);
    pass(A_MINUTE, 0);
    expect(collect).toHaveBeenCalledTimes(4);
  });

  it('is not released again after some requests, because collections take time', () => {
    collectGarbageWhenIdle(server);
    pass(A_MINUTE, 0);
    pass(A_MINUTE, 10);
    pass(A_MINUTE, 0);
    expect(collect).toHaveBeenCalledTimes(2);
  });

  it('is left to Node.js without --expose-gc', () => {
    vi.stubGlobal('gc', undefined);
    collectGarbageWhenIdle(server);
    expect(server.listenerCount('request')).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
