import { expect, it } from 'vitest';
import { listAudit } from '../../../src/domain/admin/audit-log.ts';
import { listImportRuns, purgeImportRuns } from '../../../src/domain/admin/import-run.ts';
import { sql } from '../../../src/store/sql.ts';
import type { Store } from '../../../src/store/store.ts';
import { changesAfter } from '../../support/changes.ts';
import { person, times } from '../../support/data.ts';
import { onOneDatabase, type TestOrganization } from '../../support/service.ts';
import { statementsDuring } from '../../support/stores/statements.ts';
import { exported, exportText, importText, ndjson, undo } from '../imports.ts';

onOneDatabase((service) => {
  const run = (us: TestOrganization, resource: string, ...records: object[]) =>
    importText(service.store, us.id, `${resource}.ndjson`, ndjson(...records));
  const stateOf = async (us: TestOrganization) =>
    (await listImportRuns(service.store, us.id)).map(({ state }) => state);
  /** Stops when it was asked a number of times. */
  const stopAfter = (calls: number) => {
    let called = 0;
    return () => called++ >= calls;
  };
  /** Imports members, and stops after the first 150. */
  const importFirstBatch = (us: TestOrganization, content: string) => {
    let isStored = false;
    const onProgress = () => {
      isStored = true;
    };
    return importText(service.store, us.id, 'members.ndjson', content, { onProgress, shouldStop: () => isStored });
  };
  const people = (count: number, fields: object = {}) =>
    times(count, (n) => person({ external_id: `p${n}`, city: 'Rome', ...fields }));

  it('continues after it was interrupted, and reports all of it; then it is complete', async () => {
    const us = await service.organization();
    const rows = people(320);
    const before = await exportText(service.store, us.id);
    const { run_id } = await run(us, 'members', ...rows);
    expect(await stateOf(us)).toEqual(['complete']);
    const first = await undo(service.store, us.id, run_id, { shouldStop: stopAfter(1) });
    expect(first).toMatchObject({ complete: false, removed: 20 });
    expect(await stateOf(us)).toEqual(['partly_undone']);
    const predicted = await undo(service.store, us.id, run_id, { dryRun: true });
    const progress: object[] = [];
    const second = await undo(service.store, us.id, run_id, { onProgress: (one) => progress.push(one) });
    expect(progress).toEqual([
      { rows: 150, fraction: 0.5 },
      { rows: 300, fraction: 1 },
    ]);
    expect(second).toMatchObject({ complete: true, removed: 320, external_ids_removed: 320 });
    expect(second).toEqual(predicted);
    expect(await undo(service.store, us.id, run_id)).toEqual(second);
    expect(await stateOf(us)).toEqual(['undone']);
    expect(await exportText(service.store, us.id)).toEqual(before);
    // Undo of an undo is an import of the same file.
    expect(await run(us, 'members', ...rows)).toMatchObject({ created: 320, resumed: 0 });
  });

  it('an import that was interrupted and continued has one id, and one that was undone starts at its first row', async () => {
    const us = await service.organization();
    const content = ndjson(...people(200));
    const first = await importFirstBatch(us, content);
    expect(first).toMatchObject({ complete: false, created: 150 });
    expect(await stateOf(us)).toEqual(['incomplete']);
    const second = await importText(service.store, us.id, 'members.ndjson', content);
    expect(second).toMatchObject({ resumed: 150, run_id: first.run_id });
    expect(await listImportRuns(service.store, us.id)).toMatchObject([
      { id: first.run_id, file: 'members.ndjson', actor: 'test', created: 200, rows: 200, state: 'complete' },
    ]);
    await undo(service.store, us.id, first.run_id);
    const third = await importFirstBatch(us, content);
    expect(await undo(service.store, us.id, third.run_id)).toMatchObject({ removed: 150, complete: true });
    expect(await exported(service.store, us.id, 'members')).toEqual([]);
    expect(await importText(service.store, us.id, 'members.ndjson', content)).toMatchObject({
      resumed: 0,
      created: 200,
    });
  });

  it('only one of two processes undoes an import, and the other says so', async () => {
    const us = await service.organization();
    const { run_id } = await run(us, 'members', ...people(450));
    let connections = 0;
    const pool = {
      connect: async () => {
        // The third transaction of the first process undoes a batch: the second process is faster.
        if (++connections === 3) await undo(service.store, us.id, run_id, { shouldStop: stopAfter(1) });
        return service.store.pool.connect();
      },
    };
    const overtaken = undo({ prisma: service.store.prisma, pool: pool as Store['pool'] }, us.id, run_id);
    await expect(overtaken).rejects.toThrow('another process is undoing the same import');
    expect(await undo(service.store, us.id, run_id)).toMatchObject({ complete: true, removed: 450 });
  });

  it('an import does not continue after it was undone', async () => {
    const us = await service.organization();
    const { pool, prisma } = service.store;
    let [isStored, isUndone] = [false, false];
    const undoBeforeSecondBatch = async () => {
      if (isStored && !isUndone) {
        isUndone = true;
        const [run] = await listImportRuns(service.store, us.id);
        await undo(service.store, us.id, run?.id as string);
      }
      return pool.connect();
    };
    const store = { prisma, pool: { connect: undoBeforeSecondBatch } as Store['pool'] };
    const running = importText(store, us.id, 'members.ndjson', ndjson(...people(450)), {
      onProgress: () => {
        isStored = true;
      },
    });
    await expect(running).rejects.toThrow('the import was undone meanwhile');
    expect(await exported(service.store, us.id, 'members')).toEqual([]);
  });

  it('writes audit entries that name the import, and the changes of the feed', async () => {
    const us = await service.organization();
    const [ada, ben] = people(2) as [ReturnType<typeof person>, ReturnType<typeof person>];
    await run(us, 'members', ada);
    const { run_id } = await run(us, 'members', { ...ada, city: 'Oslo' }, ben);
    const { cursor } = await changesAfter(us, undefined);
    await undo(service.store, us.id, run_id);
    const entries = await listAudit(service.store, { organization_id: us.id, record_id: run_id, limit: 10 });
    expect(entries.map(({ operation, channel, actor }) => [operation, channel, actor])).toEqual(
      times(3, () => ['undoImport', 'cli', 'test']),
    );
    const { changes } = await changesAfter(us, cursor);
    expect(changes.map(({ operation }) => operation).sort()).toEqual(['removed', 'updated']);
  });

  it('old values are kept 30 days', async () => {
    const [us, other] = [await service.organization(), await service.organization()];
    const { run_id } = await run(us, 'members', ...people(3));
    await run(other, 'members', ...people(3));
    // A second more, because times are rounded to milliseconds, also up.
    const age = (days: number) =>
      service.store.db.rows(sql`
        UPDATE import_run SET updated_at = now() - ${days}::int * interval '1 day' - interval '1 second'
        WHERE organization_id = ${us.id}`);
    const countChanges = () =>
      service.store.db
        .rows(sql`SELECT FROM import_change WHERE organization_id = ${us.id}`)
        .then(({ length }) => length);
    await age(29);
    await purgeImportRuns(service.store.db);
    expect(await countChanges()).toBe(6);
    await age(30);
    await purgeImportRuns(service.store.db);
    expect(await countChanges()).toBe(0);
    await expect(undo(service.store, us.id, run_id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await listImportRuns(service.store, us.id)).toEqual([]);
    expect(await listImportRuns(service.store, other.id)).toHaveLength(1);
  });

  it('runs no statements for old values: triggers store them', async () => {
    const us = await service.organization();
    const count = async (records: number) =>
      (await statementsDuring(() => run(us, 'members', ...people(records)))).filter((text) => text.includes('import_'))
        .length;
    const [one, two] = [await count(150), await count(300)];
    // A batch locks its checkpoint and writes the next one with the run.
    expect(two - one).toBe(2);
  });
});
