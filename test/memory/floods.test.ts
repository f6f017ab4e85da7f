import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { times } from '../support/data.ts';
import { CONNECTIONS, createHttpClient, graphqlRequest, type HttpRequest } from '../support/load/http-client.ts';
import { manyOf } from '../support/many.ts';
import { startService } from '../support/processes/running.ts';
import { onOneStore } from '../support/service.ts';

/** An operation of 120 points. */
const COSTLY = `{ ${times(40, (n) => `a${n}: departments(first: 2) { edges { node { members(first: 5) { edges { node { tags { id } } } } } } }`).join(' ')} }`;

interface Flood {
  /** As the table of memory in docs/scaling.md calls it. */
  readonly name: string;
  readonly count: number;
  /** The status of its responses. */
  readonly statuses: readonly number[];
  readonly request: (n: number, key: string) => HttpRequest;
}

const FLOODS: readonly Flood[] = [
  {
    name: 'send requests without a key from 180,000 addresses',
    count: 180_000,
    statuses: [401, 429],
    request: (n) => ({
      name: 'no key',
      path: '/v1/members',
      headers: [['X-Forwarded-For', `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`]],
    }),
  },
  {
    name: 'send GraphQL requests of 120 points',
    count: 2_000,
    statuses: [200],
    request: (_, key) => graphqlRequest(key, '120 points', COSTLY),
  },
  {
    name: 'send GraphQL documents of 60 fields that were never sent before',
    count: 5_000,
    statuses: [200],
    request: (n, key) =>
      graphqlRequest(key, 'new', `{ viewer { ${times(60, (m) => `f${m}_${n}: __typename`).join(' ')} } }`),
  },
];

/** The maximum in the table of docs/scaling.md, in MB. */
function documentedMaximum(name: string): number {
  const table = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8');
  const [row = ''] = table.split('\n').filter((line) => line.includes(name));
  return Number(/\| (\d+), while/.exec(row)?.[1]);
}

describe.skipIf(!inject('databaseUrl') || process.platform !== 'linux')('the service on PostgreSQL', () => {
  onOneStore((service) => {
    let key: string;
    beforeAll(async () => {
      const organization = await service.organization();
      key = organization.key;
      const many = manyOf(service, organization.id);
      const members = await many.members(50);
      await many.departments(5, () => members);
      await many.tags(3, () => members);
    });

    it.each(FLOODS)('uses at most the documented memory while 32 connections $name', async (flood) => {
      const environment = {
        DATABASE_URL: inject('databaseUrl') as string,
        RATE_LIMIT_PER_MINUTE: '1000000000',
        TRUST_PROXY: '1',
      };
      const running = await startService(environment);
      const client = createHttpClient(Number(new URL(running.address).port));
      const statuses = new Set<number>();
      let sent = 0;
      await Promise.all(
        times(CONNECTIONS, async () => {
          while (sent < flood.count) statuses.add(await client.sendAndDiscard(flood.request(sent++, key)));
        }),
      );
      const [, peakKb] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${running.pid}/status`, 'utf8')) ?? [];
      client.close();
      await running.stop();
      expect(flood.statuses).toEqual(expect.arrayContaining([...statuses]));
      expect(Number(peakKb) / 1_024).toBeLessThanOrEqual(documentedMaximum(flood.name));
    });
  });
});
