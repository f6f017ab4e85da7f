import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TABLES } from '../../../src/backup/tables.ts';
import { organizationTables } from '../../../src/store/organization-tables.ts';
import { raw, sql } from '../../../src/store/sql.ts';
import { changesAfter } from '../../support/changes.ts';
import { expectError } from '../../support/contract.ts';
import { person, times } from '../../support/data.ts';
import { runCli, runCliTyping } from '../../support/processes/cli.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { environment } from './commands.ts';

/** Tables whose rows belong to no organization, or to several. A new table must be one of these or of organizations. */
const SHARED_TABLES = [
  '_prisma_migrations',
  'api_key_usage_batch',
  'change_feed',
  'cursor_secret',
  'email_address',
  'operator',
  'person',
  'schema_requirement',
];

onOneStore((service) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cms-delete-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const run = (...words: string[]) => runCli(environment, 'organization', 'delete', ...words, '--json');
  const rows = <Row>(statement: Parameters<typeof service.store.db.rows>[0]) => service.store.db.rows<Row>(statement);
  const query = <Row>(text: string) => rows<Row>({ text, values: [] });

  /** The numbers of rows of an organization, without the audit and the usage of keys, which the service stores at any time. */
  async function contentsOf(id: string): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { name, condition } of await organizationTables(query, id)) {
      const [row] = await rows<{ n: number }>(sql`SELECT count(*)::int AS n FROM ${raw(name)} WHERE ${raw(condition)}`);
      if (row && row.n > 0 && !/^(audit_entry|api_key_.*usage)$/.test(name)) counts[name] = row.n;
    }
    return counts;
  }

  /** An organization with records of all kinds, a member that only it has, and one that another organization has too. */
  async function filled() {
    const [organization, other] = [await service.organization(), await service.organization()];
    const records = recordsOf(service, organization.id);
    const [alone, shared] = [person(), person()];
    const create = async (of: TestOrganization, body: object) =>
      (await of.post('/members', body)).json.data.id as string;
    const [aloneId, sharedId] = [await create(organization, alone), await create(organization, shared)];
    await create(other, shared);
    const tag = await records.tag();
    await organization.patch(`/members/${sharedId}/tags`, { add: [tag.id] });
    await records.department({ headId: aloneId }, [aloneId, sharedId]);
    const form = await records.form();
    await records.formField(form.id);
    await records.formResponse(form.id);
    for (const name of ['events', 'services', 'prayer_requests'] as const) await records.required(name);
    await rows(
      sql`INSERT INTO api_key_usage (api_key_id, day, points) VALUES (${organization.keyId}, '2026-02-28', 1)`,
    );
    await rows(sql`
      INSERT INTO api_key_scope_usage (api_key_id, day, scope, requests)
      VALUES (${organization.keyId}, '2026-02-28', 'tags.view', 1)`);
    await rows(sql`
      INSERT INTO administrator (id, organization_id, email, created_by) VALUES (${`adm_${organization.id}`}, ${organization.id}, 'a@example.org', 'test')`);
    await rows(sql`
      INSERT INTO session (token_hash, administrator_id, expires_at)
      VALUES (sha256(${organization.id}::bytea), ${`adm_${organization.id}`}, now() + interval '1 day')`);
    await rows(sql`
      INSERT INTO external_id (organization_id, resource, external_id, record_id) VALUES (${organization.id}, 'tags', '1', ${tag.id})`);
    return { organization, other, alone, shared, aloneId, sharedId };
  }

  it('covers every table of the schema', async () => {
    const tables = (await organizationTables(query, 'org_x')).map(({ name }) => name);
    const all = await rows<{ name: string }>(sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`);
    expect([...tables, ...SHARED_TABLES].sort()).toEqual(all.map(({ name }) => name).sort());
  });

  it('deletes all rows but the audit, keeps shared persons, and ends access; the backup restores everything', async () => {
    const { organization, other, alone, shared, aloneId, sharedId } = await filled();
    const file = join(folder, 'organization.gz');
    const before = await contentsOf(organization.id);
    const { cursor } = await changesAfter(organization, undefined);

    const dry = await run(organization.id, '--dry-run');
    expect(dry).toMatchObject({ code: 0, json: { dry_run: true, backup: null, persons: { deleted: 1, kept: 1 } } });
    expect(dry.json.tables).toMatchObject(before);
    expect(await contentsOf(organization.id)).toEqual(before);

    const deleted = await run(organization.id, '--backup', file, '--yes');
    expect(deleted).toMatchObject({ code: 0, json: { dry_run: false, persons: { deleted: 1, kept: 1 } } });
    expect(deleted.json.backup).toMatchObject({ file, bytes: (await stat(file)).size });
    expect(await contentsOf(organization.id)).toEqual({});
    expectError(await organization.get('/members'), 401, 'invalid_api_key');
    expect((await other.get(`/members/${sharedId}`)).json.data.email_address).toBe(shared.email_address);
    expect(await rows(sql`SELECT FROM email_address WHERE address = ${alone.email_address}`)).toEqual([]);
    expect(await rows(sql`SELECT FROM person WHERE id = ${aloneId}`)).toEqual([]);
    const audit = await runCli(environment, 'audit', '--organization', organization.id, '--json');
    expect(audit.json[0]).toMatchObject({ operation: 'deleteOrganization', record_id: organization.id, result: 'ok' });

    const restored = await runCli(environment, 'restore', file, '--json');
    expect(restored.err).toBe('');
    const isBackedUp = ([name]: [string, number]) => !/^(session|record_change)$/.test(name);
    expect(await contentsOf(organization.id)).toMatchObject(
      Object.fromEntries(Object.entries(before).filter(isBackedUp)),
    );
    for (const id of [aloneId, sharedId]) expect((await organization.get(`/members/${id}`)).status).toBe(200);
    expectError(await organization.get(`/changes?cursor=${cursor}`), 400, 'invalid_cursor');
    expect((await changesAfter(organization, undefined)).changes.length).toBeGreaterThan(0);
    expect((await organization.post('/members', person())).status).toBe(201);
    const again = await runCli(environment, 'restore', file, '--json');
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('already has the organization') });
  });

  it('continues after an interruption without another backup, and works in batches', async () => {
    const organization = await service.organization();
    await rows(sql`
      INSERT INTO designation (organization_id, id, name, search_text)
      SELECT ${organization.id}, 'dsg_' || n, 'D', '' FROM generate_series(1, 2500) n`);
    await rows(sql`
      UPDATE organization SET deletion_started_at = now(), records_deleted_since = now() WHERE id = ${organization.id}`);
    expectError(await organization.get('/members'), 401, 'key_revoked');
    const file = join(folder, 'never.gz');
    const { code, json } = await run(organization.id, '--backup', file, '--yes');
    expect({ code, backup: json.backup, designations: json.tables.designation }).toEqual({
      code: 0,
      backup: null,
      designations: 2_500,
    });
    await expect(stat(file)).rejects.toThrow('ENOENT');
    expect(await contentsOf(organization.id)).toEqual({});
  });

  it('is refused without confirmation, and changes nothing if the backup fails', async () => {
    const organization = await service.organization();
    const refused = await run(organization.id);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    const typing = (typed: string) => ({ terminal: true, ask: async () => typed, line: async () => '' });
    const words = ['organization', 'delete', organization.id, '--no-backup', '--json'];
    expect(await runCliTyping(typing('org_x'), environment, ...words)).toMatchObject({ code: 2 });
    expect(await run(organization.id, '--backup', join(folder, 'no', 'folder.gz'), '--yes')).toMatchObject({ code: 1 });
    expect((await organization.get('/members')).status).toBe(200);
    expect(await runCliTyping(typing(organization.id), environment, ...words)).toMatchObject({ code: 0 });
    expect(await run(organization.id, '--yes')).toMatchObject({ code: 1, err: expect.stringContaining('not_found') });
  });

  it('refuses the backup of an organization whose address belongs to another person', async () => {
    const organization = await service.organization();
    const bodies = times(3, () => person());
    for (const body of bodies) await organization.post('/members', body);
    const file = join(folder, 'conflict.gz');
    expect(await run(organization.id, '--backup', file, '--yes')).toMatchObject({ code: 0 });
    const other = await service.organization();
    await other.post('/members', bodies[0] as object);
    const { code, err } = await runCli(environment, 'restore', file, '--json');
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining((bodies[0] as { email_address: string }).email_address),
    });
    expect(await contentsOf(organization.id)).toEqual({});
  });

  it('backs up the tables of the organization, of those that backups have', async () => {
    const organization = await service.organization();
    const { json } = await runCli(
      environment,
      'backup',
      join(folder, 'one.gz'),
      '--organization',
      organization.id,
      '--json',
    );
    const tables = (await organizationTables(query, organization.id)).map(({ name }) => name);
    const expected = TABLES.filter((name) => [...tables, 'person', 'email_address'].includes(name));
    expect(Object.keys(json.tables)).toEqual(expected);
    expect(json.tables).toMatchObject({ organization: { rows: 1 }, api_key: { rows: 1 } });
  });
});
