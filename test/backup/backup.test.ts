import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { backUp, restore } from '../../src/backup/backup.ts';
import { type Contents, CopyError } from '../../src/backup/dump.ts';
import { TABLES } from '../../src/backup/tables.ts';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import { decodeCursor, encodeCursor } from '../../src/domain/cursors/cursor.ts';
import { sql } from '../../src/store/sql.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { createDatabases } from '../support/servers/databases.ts';
import { fill, holdingsOf } from '../support/servers/full-store.ts';
import { temporaryStores } from '../support/stores/directories.ts';

type Target = Parameters<ReturnType<typeof temporaryStores>['open']>[0];

describe('a backup', () => {
  const databases = createDatabases(inject('databaseUrl') ?? '');
  afterAll(() => databases.drop());
  const { folder, open, close, startedOnce } = temporaryStores();

  /** A store with rows in every table, and its backup. On a server if there is one, which is faster. */
  const backup = {} as {
    source: Store;
    options: { databaseUrl?: string; dataDirectory: string };
    directory: string;
    file: string;
  };
  beforeAll(async () => {
    backup.directory = await folder();
    backup.file = join(backup.directory, 'records.gz');
    // Not a copy of the template, whose secrets it would share.
    backup.options = inject('databaseUrl')
      ? { databaseUrl: databases.urlOf(await databases.create()), dataDirectory: '' }
      : { dataDirectory: await startedOnce() };
    backup.source = await open(backup.options);
    await fill({ store: backup.source, dataDirectory: backup.directory });
    await backUp(backup.source.pool, backup.file);
  });

  /** An empty target of a restore: on a server if there is one, which is faster. */
  const newTarget = async (): Promise<Target> =>
    inject('databaseUrl')
      ? { databaseUrl: databases.urlOf(await databases.create(inject('migratedDatabase'))) }
      : { dataDirectory: await folder() };
  const openTarget = async () => open(await newTarget());

  /** A copy of the file with modified lines. */
  const modifiedBackup = async (name: string, change: (lines: string[]) => string[]): Promise<string> => {
    const lines = String(gunzipSync(await readFile(backup.file)))
      .trimEnd()
      .split('\n');
    const other = join(backup.directory, name);
    await writeFile(other, gzipSync(`${change(lines).join('\n')}\n`, { level: 1 }));
    return other;
  };

  it('contains every table except sessions, password links, failed requests, deliveries of webhooks, the epoch of the change feed and the schema requirement', async () => {
    const rows = await backup.source.db.rows<{ name: string }>(sql`
      SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`);
    const left = [
      'session',
      'password_link',
      'api_key_failed_request',
      'change_feed',
      'purged_change',
      'schema_requirement',
      'webhook_delivery',
    ];
    expect([...TABLES, ...left].sort()).toEqual(rows.map(({ name }) => name).sort());
    const { tables } = await holdingsOf(backup.source.pool);
    expect(Object.entries(tables).filter(([, { rows }]) => rows === 0)).toEqual([]);
  });

  it('is complete, readable by its owner only, and leaves no temporary file', async () => {
    expect((await stat(backup.file)).mode & 0o777).toBe(0o600);
    expect((await readdir(backup.directory)).filter((name) => name.startsWith('records.gz.'))).toEqual([]);
    const lines = gunzipSync(await readFile(backup.file))
      .toString()
      .trimEnd()
      .split('\n');
    expect(JSON.parse(lines[0] as string)).toEqual({
      format: 'cms-backup',
      version: 1,
      migrations: expect.arrayContaining([{ name: '20261127120000_initial', checksum: expect.any(String) }]),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(JSON.parse(lines.at(-1) as string)).toEqual({ end: await holdingsOf(backup.source.pool) });
  });

  it('deletes the unfinished files of killed runs, but not those of other runs, nor other files', async () => {
    const target = join(backup.directory, 'nightly.gz');
    const [killed, running] = [randomUUID(), randomUUID()];
    for (const [name, hours] of [
      [killed, 13],
      [running, 11],
      ['aa', 13], // A part that `split` created.
    ] as const) {
      await writeFile(`${target}.part-${name}`, '');
      const modifiedAt = new Date(Date.now() - hours * 3_600_000);
      await utimes(`${target}.part-${name}`, modifiedAt, modifiedAt);
    }
    await backUp(backup.source.pool, target);
    const left = (await readdir(backup.directory)).filter((name) => name.startsWith('nightly'));
    expect(left.sort()).toEqual(['nightly.gz', `nightly.gz.part-${running}`, 'nightly.gz.part-aa'].sort());
    for (const name of ['aa', running]) await rm(`${target}.part-${name}`);
  });

  it('keeps an existing file if it fails', async () => {
    const older = join(backup.directory, 'older.gz');
    await writeFile(older, 'older');
    const empty = await openTarget();
    await expect(backUp(empty.pool, older)).rejects.toThrow(/nothing to copy/);
    expect(await readFile(older, 'utf8')).toBe('older');
    await mkdir(join(backup.directory, 'folder'));
    await expect(backUp(backup.source.pool, join(backup.directory, 'folder'))).rejects.toThrow(
      /folder is not a regular file/,
    );
    await expect(backUp(backup.source.pool, join(backup.directory, 'no', 'folder'))).rejects.toThrow(/cannot be used/);
    expect((await readdir(backup.directory)).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it('writes to the file that a symbolic link names, and keeps the link', async () => {
    const [linked, link] = [join(backup.directory, 'linked.gz'), join(backup.directory, 'link.gz')];
    await writeFile(linked, 'older');
    await symlink(linked, link);
    await backUp(backup.source.pool, link);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(gunzipSync(await readFile(linked)).toString()).toContain('cms-backup');
  });

  it('restores the same rows in every table, and older cursors stay valid', async () => {
    const before = await holdingsOf(backup.source.pool);
    const list = { organizationId: 'org_x', list: 'tags', search: undefined };
    const cursor = encodeCursor(backup.source.appSecret, list, 41n);
    const target = await newTarget();
    const fresh = await open(target);
    expect(fresh.appSecret).not.toEqual(backup.source.appSecret);
    const { contents, bytes } = await restore(fresh.pool, backup.file);
    expect(contents.tables).toEqual(before.tables);
    expect(bytes).toBe((await stat(backup.file)).size);
    await close(fresh);

    const restored = await open(target);
    // A restore raises the counters.
    const withoutCounters = ({ organization_counter: _, ...tables }: Contents['tables']) => tables;
    expect(withoutCounters((await holdingsOf(restored.pool)).tables)).toEqual(withoutCounters(before.tables));
    expect(decodeCursor(restored.appSecret, list, cursor)).toEqual({ sortKeys: [], position: 41n });
    const secondFile = join(backup.directory, 'second.gz');
    const second = await backUp(restored.pool, secondFile);
    expect(withoutCounters(second.contents.tables)).toEqual(withoutCounters(before.tables));
  });

  it('assigns greater positions and audit numbers after a restore than since the backup, and another epoch of changes', async () => {
    const fresh = await openTarget();
    const counters = sql`SELECT min(last_number)::text AS least FROM organization_counter`;
    const [before] = await backup.source.db.rows<{ least: string }>(counters);
    await restore(fresh.pool, backup.file);
    const [after] = await fresh.db.rows<{ least: string }>(counters);
    expect(BigInt(after?.least ?? 0) - BigInt(before?.least ?? 0)).toBe(2n ** 32n);
    const epoch = sql`SELECT epoch FROM change_feed`;
    expect(await fresh.db.rows(epoch)).not.toEqual(await backup.source.db.rows(epoch));
    const [next] = await fresh.db.rows(sql`
      SELECT (SELECT bool_and(c.last_number >= t.position) FROM tag t JOIN organization_counter c USING (organization_id)) AS is_greater,
        (SELECT max(position) FROM tag)::text AS position,
        nextval('audit_entry_id_seq') > 5000 AS is_greater_audit_number`);
    expect(next).toEqual({ is_greater: true, position: '9007199254740993', is_greater_audit_number: true });
    await createOrganization(fresh, { name: 'Next', country: 'US' }, 'test');
  });

  it('is refused by a database with organizations, which remains unchanged', async () => {
    const occupied = await openTarget();
    await createOrganization(occupied, { name: 'Existing', country: 'US' }, 'test');
    const before = await holdingsOf(occupied.pool);
    await expect(restore(occupied.pool, backup.file)).rejects.toThrow(/already has organizations/);
    expect(await holdingsOf(occupied.pool)).toEqual(before);
  });

  it('is rejected completely if it is truncated or modified anywhere', async () => {
    const empty = await openTarget();
    const before = await holdingsOf(empty.pool);
    const intact = await readFile(backup.file);
    const damaged = join(backup.directory, 'damaged.gz');
    for (const length of [0, 100, intact.length >> 1, intact.length - 1]) {
      await writeFile(damaged, intact.subarray(0, length));
      await expect(restore(empty.pool, damaged)).rejects.toThrow(CopyError);
    }
    const flipped = Buffer.from(intact);
    flipped.writeUInt8(flipped.readUInt8(intact.length >> 1) ^ 1, intact.length >> 1);
    await writeFile(damaged, flipped);
    await expect(restore(empty.pool, damaged)).rejects.toThrow(CopyError);

    // No other table refers to rows of this one.
    const isTable = (line: string) => line.includes('"table":"audit_entry"');
    const cases: Record<string, [(lines: string[]) => string[], RegExp]> = {
      'cut between tables': [(lines) => lines.slice(0, 40), /incomplete/],
      'without a row': [
        (lines) => lines.filter((_, n) => n !== lines.findIndex(isTable) + 1),
        /rows of audit_entry differ/,
      ],
      'with another value': [
        (lines) => lines.map((line) => line.replace('"Amara"', '"Amaro"')),
        /differ from the copy/,
      ],
      'with a wrong value': [
        (lines) => lines.map((line) => line.replace('"Female"', '"Femme"')),
        /refused a row between 1 and \d+ of member/,
      ],
      'with more after its end': [(lines) => [...lines, lines[2] as string], /data after its end/],
      'without its header': [(lines) => lines.slice(1), /header/],
      'of a later format': [
        ([first, ...lines]) => [String(first).replace('"version":1', '"version":2'), ...lines],
        /version/,
      ],
      'of another schema': [
        ([first, ...lines]) => [String(first).replace('_initial', '_other'), ...lines],
        /another schema version/,
      ],
      'of something else': [() => ['{"hello":1}'], /not a backup/],
    };
    for (const [name, [change, message]] of Object.entries(cases)) {
      await expect(restore(empty.pool, await modifiedBackup('changed.gz', change)), name).rejects.toThrow(message);
    }
    await expect(restore(empty.pool, join(backup.directory, 'nowhere'))).rejects.toThrow(/cannot be used/);
    await writeFile(damaged, 'hello');
    await expect(restore(empty.pool, damaged)).rejects.toThrow(/not a backup/);
    expect(await holdingsOf(empty.pool)).toEqual(before);
    expect((await restore(empty.pool, backup.file)).contents.tables).toEqual(
      (await holdingsOf(backup.source.pool)).tables,
    );
  });

  // The last test, because it writes to the source.
  it('is a snapshot despite concurrent writes', async () => {
    const other = await openStore({ ...backup.options, join: true });
    const copy = backUp(other.pool, join(backup.directory, 'busy.gz'));
    const writes = Promise.all(
      [1, 2, 3, 4, 5].map((n) => createOrganization(backup.source, { name: `Busy ${n}`, country: 'US' }, 'test')),
    );
    const { contents } = await copy;
    await writes;
    await other.close();
    const { organization, audit_entry } = contents.tables;
    // One statement inserts an organization and its audit entry.
    const later = (await holdingsOf(backup.source.pool)).tables;
    expect(Number(later.organization?.rows) - Number(organization?.rows)).toBe(
      Number(later.audit_entry?.rows) - Number(audit_entry?.rows),
    );
  });
});
