import { describe, expect, it } from 'vitest';
import { times } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';

/** Requests of one organization, each of which takes a millisecond or more before it is charged. */
const REQUESTS: Record<string, (n: number) => [query: string, variables?: Record<string, unknown>]> = {
  'different documents': (n) => [
    `{ ...F0 } ${times(70, (f) => `fragment F${f} on Query { ${f === 69 ? '__typename' : `...F${f + 1}`} a${n}: __typename }`).join(' ')}`,
  ],
};

/** Measures how long the event loop is blocked while `run` is pending. */
async function longestBlock(run: Promise<unknown>): Promise<{ total: number; longest: number }> {
  const start = performance.now();
  let [last, longest, isRunning] = [start, 0, true];
  const done = run.finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    await new Promise(setImmediate);
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  await done;
  return { total: last - start, longest };
}

onOneStore((service) => {
  describe('other requests are handled between those that an organization sends at once:', () => {
    it.each(Object.entries(REQUESTS))('%s', async (_name, request) => {
      const { key } = await service.organization();
      const send = async ([query, variables]: [string, Record<string, unknown>?]) => {
        const { status } = await graphql(service.app, key)(query, variables);
        expect(status).toBeLessThan(500);
      };
      await send(['{ viewer { keyName } }']);
      const { total, longest } = await longestBlock(Promise.all(times(40, (n) => send(request(n)))));
      expect(longest).toBeLessThan(total / 2);
    });
  });
});
