import { describe, expect, it } from 'vitest';
import type { RequestEnv } from '../../../src/http/request/request-env.ts';
import { answerOf } from '../../support/client.ts';
import { times } from '../../support/data.ts';
import { onOneStore } from '../../support/service.ts';

/** A request and its connection. */
type Sent = readonly [Request, RequestEnv['Bindings']?];

const JSON_TYPE = { 'Content-Type': 'application/json' };
const unknownFields = Object.fromEntries(times(1_900, (n) => [`unknown${n}`, n]));

const post = (path: string, key: string, body: unknown): Sent => [
  new Request(`http://service.test${path}`, {
    method: 'POST',
    headers: { ...JSON_TYPE, 'X-Api-Key': key },
    body: JSON.stringify(body),
  }),
];

/** Requests of one organization, each of which takes a millisecond or more before it is executed. */
const REQUESTS: Record<string, (key: string, n: number) => Sent> = {
  'different documents': (key, n) =>
    post('/graphql', key, {
      query: `{ ...F0 } ${times(70, (f) => `fragment F${f} on Query { ${f === 69 ? '__typename' : `...F${f + 1}`} a${n}: __typename }`).join(' ')}`,
    }),
  'variables with many fields': (key) => post('/graphql', key, { query: '{ __typename }', variables: unknownFields }),
  'bodies with many fields at REST': (key) => post('/v1/members', key, unknownFields),
  'long query strings at REST': (key) => [
    new Request(`http://service.test/v1/members?${'q=&'.repeat(5_000)}`, { headers: { 'X-Api-Key': key } }),
  ],
  'long headers': (key, n) => {
    const accept = `${'a/b,'.repeat(3_500)}a/${n}`;
    const headers = { Accept: accept, 'X-Api-Key': key };
    return [
      new Request('http://service.test/graphql?query={__typename}', { headers }),
      { incoming: { rawHeaders: Object.entries(headers).flat() } },
    ];
  },
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
      const send = async (...sent: Sent) => {
        const { status } = await answerOf(await service.app.fetch(...sent));
        expect(status).toBeLessThan(500);
      };
      await send(...post('/graphql', key, { query: '{ __typename }' }));
      const { total, longest } = await longestBlock(Promise.all(times(40, (n) => send(...request(key, n)))));
      expect(longest).toBeLessThan(total / 2);
    });
  });
});
