import { expect, it } from 'vitest';
import { connectWithRetries, type RedisClient } from '../../src/rate-limit/redis-client.ts';

/** A client whose attempts to connect end as listed. */
function clientWith(attempts: readonly (() => Promise<unknown>)[]) {
  const calls: string[] = [];
  let attempt = 0;
  const client: RedisClient = {
    connect() {
      calls.push('connect');
      return attempts[attempt++]?.() ?? expect.unreachable();
    },
    destroy: () => calls.push('destroy'),
    on: () => {},
  };
  return { client, calls };
}

const fail = () => Promise.reject(new Error('unreachable'));

it('a failed connection is attempted again, and the error is reported', async () => {
  const { client, calls } = clientWith([fail, () => Promise.resolve()]);
  const errors: unknown[] = [];
  await connectWithRetries(client, (error) => errors.push(error), new AbortController().signal, 0);
  expect(calls).toEqual(['connect', 'connect']);
  expect(errors).toMatchObject([{ message: 'unreachable' }]);
});

it('no connection is attempted after the limiter is closed', async () => {
  const closing = new AbortController();
  const { client, calls } = clientWith([fail]);
  await connectWithRetries(client, () => closing.abort(), closing.signal);
  expect(calls).toEqual(['connect']);
});

it('the failure of an attempt that closing ended is not reported', async () => {
  const closing = new AbortController();
  const interrupted = async () => {
    closing.abort();
    return fail();
  };
  const { client, calls } = clientWith([interrupted]);
  await connectWithRetries(client, () => expect.unreachable(), closing.signal);
  expect(calls).toEqual(['connect']);
});

it('a connection that is made while the limiter is closed is ended', async () => {
  const closing = new AbortController();
  const { client, calls } = clientWith([async () => closing.abort()]);
  await connectWithRetries(client, () => expect.unreachable(), closing.signal);
  expect(calls).toEqual(['connect', 'destroy']);
});
