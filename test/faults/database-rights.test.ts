import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { times } from '../support/data.ts';
import { hasServers, type OwnServer, ownPostgresql, until, untilAnswers } from '../support/servers/own-servers.ts';
import { makeCertificate } from './support/certificate.ts';
import { ask, ROOT, startInstance, temporaryDirectory } from './support/instance.ts';

/** The statements of docs/operations.md, for another database. */
function documentedGrants(database: string): string {
  const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  const [, statements] = page.match(/## Database rights\n[\s\S]*?```sql\n([\s\S]*?)```/) as RegExpMatchArray;
  return (statements as string).replace('ON DATABASE cms ', `ON DATABASE ${database} `);
}

const MEMBERS = 300;
const PASSWORD = 'a b&c?d';

describe.skipIf(!hasServers)('a database with TLS and the two roles of docs/operations.md', () => {
  const folder = temporaryDirectory();
  const [trusted, environmentFile] = [join(folder, 'ca.crt'), join(folder, 'cms.env')];
  const members = join(folder, 'members.csv');
  let postgresql: OwnServer;
  let port: string;
  const urlOf = (role: string, database: string) =>
    `postgresql://${role}:${encodeURIComponent(PASSWORD)}@localhost:${port}/${database}?sslmode=verify-full&sslrootcert=${trusted}`;

  /** Runs statements as a role. */
  async function run(role: string, database: string, statements: string) {
    const client = new pg.Client({ connectionString: urlOf(role, database) });
    await client.connect();
    return client.query(statements).finally(() => client.end());
  }

  /** Runs a command with the settings of the service, as an operator does; owners name their database. */
  function cms(words: string, databaseUrl = '') {
    const setUrl = databaseUrl && `DATABASE_URL='${databaseUrl}'`;
    const script = `set -a && . ${environmentFile} && set +a && ${setUrl} ./cms ${words} --json`;
    return JSON.parse(
      execFileSync('sh', ['-c', script], { cwd: ROOT, encoding: 'utf8', env: { PATH: process.env.PATH } }),
    );
  }

  beforeAll(async () => {
    let data = '';
    postgresql = await ownPostgresql({
      prepare(directory) {
        makeCertificate(directory);
        data = directory;
      },
    });
    await postgresql.start();
    copyFileSync(join(data, 'server.crt'), trusted);
    ({ port } = new URL(postgresql.url));
    const superuser = `postgresql://test@localhost:${port}/postgres?sslmode=verify-full&sslrootcert=${trusted}`;
    await untilAnswers(superuser);
    const client = new pg.Client({ connectionString: superuser });
    await client.connect();
    for (const role of ['cms_owner', 'cms_service'])
      await client.query(`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
    for (const name of ['cms', 'restored', 'moved']) await client.query(`CREATE DATABASE ${name} OWNER cms_owner`);
    await client.end();
    writeFileSync(
      environmentFile,
      `DATABASE_URL='${urlOf('cms_service', 'cms')}'\nLOG_LEVEL=warn\nAUDIT_RETENTION_DAYS=30\n`,
    );
    chmodSync(environmentFile, 0o600);
    const rows = times(MEMBERS, (n) => `Ada,Member ${n},ada${n}@example.org`);
    writeFileSync(members, `first_name,last_name,email_address\n${rows.join('\n')}\n`);
    cms('migrate', urlOf('cms_owner', 'cms'));
    await run('cms_owner', 'cms', documentedGrants('cms'));
  });
  afterAll(() => postgresql?.remove());

  it('work for all commands and the service, which can delete old audit entries only', async () => {
    const { id } = cms("organization create --name 'Hillside Chapel' --country US");
    const { key } = cms(`key create --organization ${id} --name Website --scopes all --expires 90`);
    expect(cms(`import ${members} --organization ${id} --dry-run`)).toMatchObject({
      dry_run: true,
      complete: true,
    });
    expect(cms(`import ${members} --organization ${id}`)).toMatchObject({ dry_run: false, complete: true });
    await run(
      'cms_owner',
      'cms',
      `INSERT INTO audit_entry (organization_id, channel, operation, result, at) VALUES ('${id}', 'rest', 'old', 'ok', now() - interval '31 days')`,
    );

    const settings = { DATABASE_URL: urlOf('cms_service', 'cms'), AUDIT_RETENTION_DAYS: '30', DATA_DIR: folder };
    const instance = await startInstance(settings);
    try {
      await instance.ready();
      const body = JSON.stringify({ first_name: 'Bea', last_name: 'Member', email_address: 'bea@example.org' });
      expect((await ask(instance.address, key, '/v1/members', { method: 'POST', body })).status).toBe(201);
      const count = async (operation: string) =>
        (await run('cms_service', 'cms', `SELECT FROM audit_entry WHERE operation = '${operation}'`)).rowCount;
      await until(async () => (await count('old')) === 0);
      expect(await count('createMember')).toBeGreaterThan(0);
      expect(await instance.end('SIGTERM')).toBe(0);
      expect(instance.output()).not.toMatch(/"level":(40|50)|WARN|ERROR/);
    } finally {
      await instance.end('SIGKILL');
    }
    for (const change of ['DELETE FROM audit_entry', "UPDATE audit_entry SET result = ''", 'TRUNCATE audit_entry']) {
      await expect(run('cms_service', 'cms', change)).rejects.toThrow('permission denied');
    }
  });

  it('work for a backup by the role of the service, and for the restore and move of the owner', async () => {
    const file = join(folder, 'cms.gz');
    const backup = cms(`backup ${file}`);
    expect(backup.tables.member.rows).toBe(MEMBERS + 1);
    expect(cms(`restore ${file}`, urlOf('cms_owner', 'restored')).tables).toEqual(backup.tables);
    const moved = cms(`move --to '${urlOf('cms_owner', 'moved')}'`, urlOf('cms_owner', 'cms'));
    expect(moved.tables).toEqual(backup.tables);
    await run('cms_owner', 'moved', documentedGrants('moved'));
    const again = cms(`backup ${join(folder, 'moved.gz')}`, urlOf('cms_service', 'moved'));
    expect(again.tables).toEqual(backup.tables);
  });
});
