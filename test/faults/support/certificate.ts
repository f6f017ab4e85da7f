import { execFileSync } from 'node:child_process';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { idsOf } from '../../support/servers/own-servers.ts';

/** Writes a self-signed certificate to the data directory of a PostgreSQL server, which then refuses connections without TLS. */
export function makeCertificate(data: string): void {
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
