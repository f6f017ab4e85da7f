import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { backUp } from '../../src/backup/backup.ts';
import { TABLES } from '../../src/backup/tables.ts';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import { sql } from '../../src/store/sql.ts';
import { openStore } from '../../src/store/store.ts';
import { holdingsOf } from '../support/servers/full-store.ts';
import { fullBackup } from './full-backup.ts';

describe('a backup', () => {
  const { backup, openTarget } = fullBackup();

  it('contains every table except sessions, password links, failed requests, the epoch of the change feed and the schema requirement', async () => {
    const rows = await backup.source.db.rows<{ name: string }>(sql`
      SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`);
    const left = ['session', 'password_link', 'api_key_failed_request', 'change_feed', 'schema_requirement'];
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
    for (const [name, minutes] of [
      [killed, 61],
      [running, 59],
      ['aa', 61], // A part that `split` created.
    ] as const) {
      await writeFile(`${target}.part-${name}`, '');
      const modifiedAt = new Date(Date.now() - minutes * 60_000);
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

  it('is a snapshot despite concurrent writes', async () => {
    const other = await openStore({ dataDirectory: backup.sourceDirectory, join: true });
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
