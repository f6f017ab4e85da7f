import { execFileSync } from 'node:child_process';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';
import { hasServers, idsOf, type OwnServer, ownPostgresql, untilAnswers } from '../support/servers/own-servers.ts';
import { cancelsGivenUpReads } from './support/cancelling.ts';

/** Codes of the first message of a connection. */
const SSL_REQUEST = 80_877_103;

describe.skipIf(!hasServers)('PostgreSQL that requires encrypted connections', () => {
  let postgresql: OwnServer;
  let proxy: Server;
  let store: Store;
  let observer: pg.Client;
  /** The code of the first message of each connection through the proxy. */
  const codes: number[] = [];

  beforeAll(async () => {
    postgresql = await ownPostgresql({ prepare: makeCertificate });
    await postgresql.start();
    const url = new URL(postgresql.url);
    url.searchParams.set('sslmode', 'no-verify');
    await untilAnswers(url.href);
    const port = Number(url.port);
    proxy = createServer((near) => {
      const far = connect(port, '127.0.0.1');
      near.once('data', (chunk: Buffer) => codes.push(chunk.readInt32BE(4)));
      for (const socket of [near, far]) socket.on('error', () => {});
      near.pipe(far).pipe(near);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    observer = new pg.Client({ connectionString: url.href });
    await observer.connect();
    url.port = String((proxy.address() as { port: number }).port);
    store = await openStore({ databaseUrl: url.href, dataDirectory: '', timeouts: 'request' });
  });
  afterAll(async () => {
    await store?.close();
    await observer?.end();
    proxy?.close();
    await postgresql?.remove();
  });

  it('cancels aborted reads by encrypted requests', async () => {
    await cancelsGivenUpReads(store, observer);
    expect(codes.length).toBeGreaterThan(1);
    expect(new Set(codes)).toEqual(new Set([SSL_REQUEST]));
  });

  it('refuses unencrypted connections', async () => {
    const plain = new pg.Client({ connectionString: postgresql.url });
    await expect(plain.connect()).rejects.toThrow('no encryption');
  });
});

/** A self-signed certificate; connections without TLS are refused. */
function makeCertificate(data: string): void {
  const [key, certificate, hba] = ['server.key', 'server.crt', 'pg_hba.conf'].map((name) => join(data, name)) as [
    string,
    string,
    string,
  ];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-keyout', key, '-out', certificate],
    { stdio: 'ignore' },
  );
  if (process.getuid?.() === 0) {
    const { uid, gid } = idsOf('postgres');
    for (const file of [key, certificate]) chownSync(file, uid, gid);
  }
  writeFileSync(hba, readFileSync(hba, 'utf8').replaceAll(/^host /gm, 'hostssl '));
  writeFileSync(join(data, 'postgresql.auto.conf'), 'ssl = on\n');
}
