import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toServiceError } from '../../src/http/response/error-status.ts';
import { sql } from '../../src/store/sql.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { hasServers, type OwnServer, ownPostgresql, untilAnswers } from '../support/servers/own-servers.ts';
import { makeCertificate } from './support/certificate.ts';

/** Codes of the first message of a connection. */
const SSL_REQUEST = 80_877_103;

describe.skipIf(!hasServers)('PostgreSQL that requires encrypted connections', () => {
  let postgresql: OwnServer;
  let folder: string;
  let proxy: Server;
  /** Connected through the proxy, without verification. */
  let unverified: Store;
  /** Connected to the server, whose certificate is verified. */
  let store: Store;
  /** The code of the first message of each connection through the proxy. */
  const codes: number[] = [];

  beforeAll(async () => {
    postgresql = await ownPostgresql({
      prepare(data) {
        makeCertificate(data);
        folder = data;
      },
    });
    await postgresql.start();
    const trusted = join(folder, 'trusted.crt');
    copyFileSync(join(folder, 'server.crt'), trusted);
    const url = new URL(postgresql.url);
    const port = Number(url.port);
    url.hostname = 'localhost';
    url.searchParams.set('sslmode', 'verify-full');
    url.searchParams.set('sslrootcert', trusted);
    await untilAnswers(url.href);
    store = await openStore({ databaseUrl: url.href, dataDirectory: '', timeouts: 'request' });
    proxy = createServer((near) => {
      const far = connect(port, '127.0.0.1');
      near.once('data', (chunk: Buffer) => codes.push(chunk.readInt32BE(4)));
      for (const socket of [near, far]) socket.on('error', () => {});
      near.pipe(far).pipe(near);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    url.port = String((proxy.address() as { port: number }).port);
    url.search = '?sslmode=no-verify';
    unverified = await openStore({ databaseUrl: url.href, dataDirectory: '', timeouts: 'request' });
  });
  afterAll(async () => {
    await unverified?.close();
    await store?.close();
    proxy?.close();
    await postgresql?.remove();
  });

  it('uses encrypted connections only', async () => {
    expect(await unverified.db.rows(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
    expect(new Set(codes)).toEqual(new Set([SSL_REQUEST]));
  });

  it('refuses unencrypted connections', async () => {
    const plain = new pg.Client({ connectionString: postgresql.url });
    await expect(plain.connect()).rejects.toThrow('no encryption');
  });

  it('is unavailable while it has a certificate that is not trusted', async () => {
    const read = () =>
      Promise.all([
        store.db.rows(sql`SELECT 1`).then(
          () => 'answered',
          (error: unknown) => toServiceError(error).code,
        ),
        store.prisma.organization.count().then(
          () => 'answered',
          (error: unknown) => toServiceError(error).code,
        ),
      ]);
    const trusted = readFileSync(join(folder, 'server.crt'));
    const key = readFileSync(join(folder, 'server.key'));
    expect(await read()).toEqual(['answered', 'answered']);
    await postgresql.stop();
    makeCertificate(folder);
    await postgresql.start();
    expect(await read()).toEqual(['unavailable', 'unavailable']);
    await postgresql.stop();
    writeFileSync(join(folder, 'server.crt'), trusted);
    writeFileSync(join(folder, 'server.key'), key);
    await postgresql.start();
    await expect.poll(read, { timeout: 20_000 }).toEqual(['answered', 'answered']);
  });
});
