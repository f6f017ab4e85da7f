import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { backUp, restore } from '../../src/backup/backup.ts';
import { CopyError } from '../../src/backup/dump.ts';
import { TABLES } from '../../src/backup/tables.ts';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import { decodeCursor, encodeCursor } from '../../src/domain/cursors/cursor.ts';
import { sql } from '../../src/store/sql.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { createDatabases } from '../support/servers/databases.ts';
import { fill, holdingsOf } from '../support/servers/full-store.ts';
import { temporaryStores } from '../support/stores/directories.ts';

interface FeedContents {
  readonly changes: readonly string[];
  readonly epoch: string;
}

describe('a backup', () => {
  const databases = createDatabases(inject('databaseUrl') ?? '');
  afterAll(() => databases.drop());
  const { folder, open, close, startedOnce } = temporaryStores();
  let [source, sourceDirectory, directory, file] = [undefined as unknown as Store, '', '', ''];

  /** An empty target of a restore: on a server if there is one, which is faster. */
  const newTarget = async (): Promise<Parameters<typeof open>[0]> =>
    inject('databaseUrl')
      ? { databaseUrl: databases.urlOf(await databases.create(inject('migratedDatabase'))) }
      : { dataDirectory: await folder() };
  const openTarget = async () => open(await newTarget());

  beforeAll(async () => {
    directory = await folder();
    file = join(directory, 'records.gz');
    sourceDirectory = await startedOnce();
    source = await open({ dataDirectory: sourceDirectory });
    await fill({ store: source, dataDirectory: directory });
    await backUp(source.pool, file);
  });

  /** A copy of the file with modified lines. */
  const modifiedBackup = async (name: string, change: (lines: string[]) => string[]): Promise<string> => {
    const lines = gunzipSync(await readFile(file))
      .toString()
      .split('\n')
      .slice(0, -1);
    const other = join(directory, name);
    await writeFile(
      other,
      gzipSync(
        change(lines)
          .map((line) => `${line}\n`)
          .join(''),
      ),
    );
    return other;
  };

  it('contains every table except sessions, password links, failed requests and the change feed', async () => {
    const rows = await source.db.rows<{ name: string }>(sql`
      SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`);
    const left = [
      ...['session', 'password_link', 'api_key_failed_request'],
      ...['change_feed', 'record_change', 'position_base'],
    ];
    expect([...TABLES, ...left].sort()).toEqual(rows.map(({ name }) => name).sort());
    const { tables } = await holdingsOf(source.pool);
    expect(Object.entries(tables).filter(([, { rows }]) => rows === 0)).toEqual([]);
  });

  it('restores all records as changes, with cursors of a new epoch', async () => {
    const target = await openTarget();
    await restore(target.pool, file);
    const changes = sql`
      SELECT (SELECT array_agg(resource || ' ' || record_id || ' ' || operation ORDER BY resource, record_id) FROM record_change
        WHERE operation <> 'removed') AS changes, change_feed_epoch() AS epoch`;
    const [original] = await source.db.rows<FeedContents>(changes);
    const [restored] = await target.db.rows<FeedContents>(changes);
    const records = (feed: FeedContents | undefined) => feed?.changes.map((change) => change.replace(/ \w+$/, ''));
    expect(records(original)?.length).toBeGreaterThan(0);
    expect(records(restored)).toEqual(records(original));
    expect(restored?.epoch).not.toBe(original?.epoch);
  });

  it('is complete, readable by its owner only, and leaves no temporary file', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(directory)).filter((name) => name.startsWith('records.gz.'))).toEqual([]);
    const lines = gunzipSync(await readFile(file))
      .toString()
      .trimEnd()
      .split('\n');
    expect(JSON.parse(lines[0] as string)).toEqual({
      format: 'cms-backup',
      version: 1,
      migrations: expect.arrayContaining([{ name: '20261121000000_initial', checksum: expect.any(String) }]),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(JSON.parse(lines.at(-1) as string)).toEqual({ end: await holdingsOf(source.pool) });
  });

  it('restores every table equally, and older cursors stay valid', async () => {
    const before = await holdingsOf(source.pool);
    const list = { organizationId: 'org_x', list: 'tags', search: undefined };
    const cursor = encodeCursor(source.cursorSecret, list, 41n);
    const target = await newTarget();
    const fresh = await open(target);
    expect(fresh.cursorSecret).not.toEqual(source.cursorSecret);
    const { contents, bytes } = await restore(fresh.pool, file);
    expect(contents.tables).toEqual(before.tables);
    expect(bytes).toBe((await stat(file)).size);
    await close(fresh);

    const restored = await open(target);
    expect((await holdingsOf(restored.pool)).tables).toEqual(before.tables);
    expect(decodeCursor(restored.cursorSecret, list, cursor)).toEqual({ keys: [], position: 41n });
    const secondFile = join(directory, 'second.gz');
    expect((await backUp(restored.pool, secondFile)).contents.tables).toEqual(before.tables);
  });

  it('assigns greater positions and audit numbers after a restore', async () => {
    const fresh = await openTarget();
    await restore(fresh.pool, file);
    const [next] = await fresh.db.rows(sql`
      SELECT next_position() > (SELECT max(position) FROM tag) AS is_greater,
        (SELECT max(position) FROM tag)::text AS position,
        nextval('audit_entry_id_seq') > 5000 AS is_greater_audit_number`);
    expect(next).toEqual({ is_greater: true, position: '9007199254740993', is_greater_audit_number: true });
    await createOrganization(fresh, { name: 'Next', country: 'US' }, 'test');
  });

  it('is refused by a database with organizations, which remains unchanged', async () => {
    const occupied = await openTarget();
    await createOrganization(occupied, { name: 'Existing', country: 'US' }, 'test');
    const before = await holdingsOf(occupied.pool);
    await expect(restore(occupied.pool, file)).rejects.toThrow(/already has organizations/);
    expect(await holdingsOf(occupied.pool)).toEqual(before);
  });

  it('is rejected completely if it is truncated or modified anywhere', async () => {
    const empty = await openTarget();
    const before = await holdingsOf(empty.pool);
    const intact = await readFile(file);
    const damaged = join(directory, 'damaged.gz');
    for (const length of [0, 5, 100, intact.length >> 1, intact.length - 9, intact.length - 1]) {
      await writeFile(damaged, intact.subarray(0, length));
      await expect(restore(empty.pool, damaged)).rejects.toThrow(CopyError);
    }
    const flipped = Buffer.from(intact);
    flipped.writeUInt8(flipped.readUInt8(intact.length >> 1) ^ 1, intact.length >> 1);
    await writeFile(damaged, flipped);
    await expect(restore(empty.pool, damaged)).rejects.toThrow(CopyError);

    const isRow = (line: string) => line.startsWith('["evt_') || line.includes('"evt_');
    const cases: Record<string, [(lines: string[]) => string[], RegExp]> = {
      'without its end': [(lines) => lines.slice(0, -1), /incomplete/],
      'cut between tables': [(lines) => lines.slice(0, 40), /incomplete/],
      'without a row': [(lines) => lines.filter((_, n) => n !== lines.findIndex(isRow)), /rows of event differ/],
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
      'with an unknown table': [
        (lines) => lines.map((line) => line.replace('"table":"tag"', '"table":"t"')),
        /is unknown or has other columns/,
      ],
      'of a later format': [
        ([first, ...lines]) => [String(first).replace('"version":1', '"version":2'), ...lines],
        /version/,
      ],
      'of another schema': [
        ([first, ...lines]) => [String(first).replace('_initial', '_other'), ...lines],
        /another schema version/,
      ],
      'of something else': [() => ['{"hello":1}'], /not a backup/],
      'of text': [() => ['hello'], /not a backup/],
    };
    for (const [name, [change, message]] of Object.entries(cases)) {
      await expect(restore(empty.pool, await modifiedBackup('changed.gz', change)), name).rejects.toThrow(message);
    }
    await expect(restore(empty.pool, join(directory, 'nowhere'))).rejects.toThrow(/cannot be used/);
    await writeFile(damaged, 'hello');
    await expect(restore(empty.pool, damaged)).rejects.toThrow(/not a backup/);
    expect(await holdingsOf(empty.pool)).toEqual(before);
    expect((await restore(empty.pool, file)).contents.tables).toEqual((await holdingsOf(source.pool)).tables);
  });

  it('can be written by two runs to one file at the same time', async () => {
    const shared = join(directory, 'shared.gz');
    const both = await Promise.all([backUp(source.pool, shared), backUp(source.pool, shared)]);
    const { contents } = await restore((await openTarget()).pool, shared);
    expect(both.map(({ contents: { tables } }) => tables)).toEqual([contents.tables, contents.tables]);
    expect((await readdir(directory)).filter((name) => name.startsWith('shared'))).toEqual(['shared.gz']);
  });

  it('deletes the unfinished files of killed runs, but not those of other runs, nor other files', async () => {
    const target = join(directory, 'nightly.gz');
    const [killed, running] = [randomUUID(), randomUUID()];
    for (const [name, minutes] of [
      [killed, 61],
      [running, 59],
      ['aa', 61], // A part that `split` created.
    ] as const) {
      await writeFile(`${target}.part-${name}`, '');
      const modifiedAt = new Date(Date.now() - minutes * 60_000);
      await utimes(`${target}.part-${name}`, modifiedAt, modifiedAt);
    }
    await backUp(source.pool, target);
    const left = (await readdir(directory)).filter((name) => name.startsWith('nightly'));
    expect(left.sort()).toEqual(['nightly.gz', `nightly.gz.part-${running}`, 'nightly.gz.part-aa'].sort());
    for (const name of ['aa', running]) await rm(`${target}.part-${name}`);
  });

  it('keeps an existing file if it fails', async () => {
    const older = join(directory, 'older.gz');
    await writeFile(older, 'older');
    const empty = await openTarget();
    await expect(backUp(empty.pool, older)).rejects.toThrow(/nothing to copy/);
    expect(await readFile(older, 'utf8')).toBe('older');
    await mkdir(join(directory, 'folder'));
    await expect(backUp(source.pool, join(directory, 'folder'))).rejects.toThrow(/folder is not a regular file/);
    await expect(backUp(source.pool, join(directory, 'no', 'folder'))).rejects.toThrow(/cannot be used/);
    expect((await readdir(directory)).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it('writes to the file that a symbolic link names, and keeps the link', async () => {
    const [linked, link] = [join(directory, 'linked.gz'), join(directory, 'link.gz')];
    await writeFile(linked, 'older');
    await symlink(linked, link);
    await backUp(source.pool, link);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(gunzipSync(await readFile(linked)).toString()).toContain('cms-backup');
  });

  it('is a snapshot despite concurrent writes', async () => {
    const other = await openStore({ dataDirectory: sourceDirectory, join: true });
    const copy = backUp(other.pool, join(directory, 'busy.gz'));
    const writes = Promise.all(
      [1, 2, 3, 4, 5].map((n) => createOrganization(source, { name: `Busy ${n}`, country: 'US' }, 'test')),
    );
    const { contents } = await copy;
    await writes;
    await other.close();
    const { organization, audit_entry } = contents.tables;
    // One statement inserts an organization and its audit entry.
    const later = (await holdingsOf(source.pool)).tables;
    expect(Number(later.organization?.rows) - Number(organization?.rows)).toBe(
      Number(later.audit_entry?.rows) - Number(audit_entry?.rows),
    );
  });
});
