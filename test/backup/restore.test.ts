import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { backUp, restore } from '../../src/backup/backup.ts';
import { type Contents, CopyError } from '../../src/backup/dump.ts';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import { decodeCursor, encodeCursor } from '../../src/domain/cursors/cursor.ts';
import { sql } from '../../src/store/sql.ts';
import { holdingsOf } from '../support/servers/full-store.ts';
import { fullBackup } from './full-backup.ts';

describe('a backup', () => {
  const { backup, open, close, newTarget, openTarget } = fullBackup();

  /** A copy of the file with modified lines. */
  const modifiedBackup = async (name: string, change: (lines: string[]) => string[]): Promise<string> => {
    const lines = String(gunzipSync(await readFile(backup.file)))
      .trimEnd()
      .split('\n');
    const other = join(backup.directory, name);
    await writeFile(other, gzipSync(`${change(lines).join('\n')}\n`));
    return other;
  };

  it('restores the same rows in every table, and older cursors stay valid', async () => {
    const before = await holdingsOf(backup.source.pool);
    const list = { organizationId: 'org_x', list: 'tags', search: undefined };
    const cursor = encodeCursor(backup.source.cursorSecret, list, 41n);
    const target = await newTarget();
    const fresh = await open(target);
    expect(fresh.cursorSecret).not.toEqual(backup.source.cursorSecret);
    const { contents, bytes } = await restore(fresh.pool, backup.file);
    expect(contents.tables).toEqual(before.tables);
    expect(bytes).toBe((await stat(backup.file)).size);
    await close(fresh);

    const restored = await open(target);
    // A restore raises the counters.
    const withoutCounters = ({ organization_counter: _, ...tables }: Contents['tables']) => tables;
    expect(withoutCounters((await holdingsOf(restored.pool)).tables)).toEqual(withoutCounters(before.tables));
    expect(decodeCursor(restored.cursorSecret, list, cursor)).toEqual({ keys: [], position: 41n });
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

    const isRow = (line: string) => line.startsWith('["evt_') || line.includes('"evt_');
    const cases: Record<string, [(lines: string[]) => string[], RegExp]> = {
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
});
