import { afterEach, describe, expect, inject, it } from 'vitest';
import { NoPrimaryError } from '../../../src/store/connections/server-selector.ts';
import { isStoreUnreachable } from '../../../src/store/errors.ts';
import { sql } from '../../../src/store/sql.ts';
import { openStore } from '../../../src/store/store.ts';
import { proxyTo, type TcpProxy } from '../../support/servers/proxy.ts';

const PORT_WITHOUT_SERVER = '127.0.0.1:1';

describe.skipIf(!inject('databaseUrl'))('PostgreSQL servers', () => {
  const databaseUrl = inject('databaseUrl') as string;
  const proxies: TcpProxy[] = [];
  afterEach(() => Promise.all(proxies.splice(0).map((proxy) => proxy.close())));

  async function proxy(): Promise<TcpProxy> {
    const opened = await proxyTo(databaseUrl);
    proxies.push(opened);
    return opened;
  }

  const hostOf = (url: string) => new URL(url).host;
  const withHosts = (...hosts: string[]) => databaseUrl.replace(hostOf(databaseUrl), hosts.join(','));

  it('replace an unreachable one for reads, transactions and Prisma Client', async () => {
    const [one, two] = [await proxy(), await proxy()];
    const changes: string[] = [];
    await two.become('cut');
    const store = await openStore({
      databaseUrl: withHosts(hostOf(one.url), hostOf(two.url)),
      dataDirectory: '',
      timeouts: 'request',
      onServerChange: (host) => changes.push(host),
    });
    try {
      await two.become('working');
      await one.become('cut');
      // The open connection fails; the next one connects to the other server.
      await store.db.rows(sql`SELECT 1`).catch(() => {});
      expect(await store.db.rows(sql`SELECT 2 AS two`)).toEqual([{ two: 2 }]);
      expect(await store.db.transaction((db) => db.rows(sql`SELECT 3 AS three`))).toEqual([{ three: 3 }]);
      expect(await store.prisma.$queryRaw`SELECT 4 AS four`).toEqual([{ four: 4 }]);
      expect(changes).toEqual([hostOf(two.url)]);
    } finally {
      await store.close();
    }
  });

  it('are unavailable, not misconfigured, if none responds', async () => {
    const opened = openStore({
      databaseUrl: withHosts(PORT_WITHOUT_SERVER, PORT_WITHOUT_SERVER),
      dataDirectory: '',
      timeouts: 'request',
    });
    expect(await opened.then(() => 'opened', isStoreUnreachable)).toBe(true);
    expect(isStoreUnreachable(new NoPrimaryError())).toBe(true);
  });
});
