import { EventSource } from 'eventsource';
import { print } from 'graphql';
import { expect, it } from 'vitest';
import { FOLLOW, submit } from '../support/changes.ts';
import { endpoint, headers } from '../support/service.ts';

it('receives a stream of changes', async () => {
  const received: string[] = [];
  const url = `${endpoint}?${new URLSearchParams({ query: print(FOLLOW) })}`;
  const source = new EventSource(url, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }),
  });
  source.addEventListener('next', ({ data }) => received.push(JSON.parse(data).data.changes.id));
  const first = await submit('Rain for EventSource');
  await expect.poll(() => received, { timeout: 10_000 }).toContain(first);
  expect(new Set(received).size).toBe(received.length);
  source.close();
});
