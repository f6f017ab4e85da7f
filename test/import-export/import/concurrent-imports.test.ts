import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readOrganization } from '../../../src/domain/admin/organization.ts';
import { inspectFile } from '../../../src/import-export/files/file.ts';
import { importFile } from '../../../src/import-export/import/import-file.ts';
import type { ImportResult } from '../../../src/import-export/import/import-run.ts';
import { resourceOf } from '../../../src/import-export/resources/registry.ts';
import { times } from '../../support/data.ts';
import { onOneDatabase } from '../../support/service.ts';
import { exported, importText, ndjson } from '../imports.ts';

onOneDatabase((service) => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cms-concurrent-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Returns a function that imports one file of tags. `beforeBatch` is called before each transaction of a batch. */
  const importsOf = async (organizationId: string, name: string, ...records: object[]) => {
    const path = join(folder, name);
    await writeFile(path, ndjson(...records));
    const organization = await readOrganization(service.store, organizationId);
    return async ({ beforeBatch = async () => {}, shouldStop = () => false }: Settings = {}): Promise<ImportResult> => {
      let connections = 0;
      const pool = {
        connect: async () => {
          // The first transaction reads the checkpoint.
          if (++connections > 1) await beforeBatch(connections - 1);
          return service.store.pool.connect();
        },
      };
      return importFile(await inspectFile(path), {
        batchOptions: { pool: pool as pg.Pool, organization, actor: 'test', source: '', trustsAddresses: false },
        readOptions: {
          resource: resourceOf('tags'),
          map: new Map(),
          idColumns: [],
          dateOrder: undefined,
          organization: { country: 'US', timeZone: 'UTC' },
        },
        shouldStop,
        onProgress: () => {},
      });
    };
  };
  const tags = (count: number) => times(count, (n) => ({ external_id: `t${n}`, name: `Tag ${n}` }));
  const FAILURE = { code: 'unavailable', message: 'another process is importing the same file' };

  it('stores no batch of a run if another run finished the same file after it started', async () => {
    const us = await service.organization();
    const run = await importsOf(us.id, 'finished.ndjson', ...tags(3), { name: '' });
    const overtaken = run({
      beforeBatch: async (batch) => {
        if (batch > 1) return;
        expect(await run()).toMatchObject({ created: 3, rejected: 1, complete: true });
        await importText(service.store, us.id, 'tags.ndjson', ndjson({ external_id: 't1', name: 'Changed' }));
      },
    });
    await expect(overtaken).rejects.toMatchObject(FAILURE);
    const stored = await exported(service.store, us.id, 'tags');
    expect(stored.map(({ name }) => name)).toContain('Changed');
    expect(await readdir(folder)).not.toContain('finished.rejects-2.ndjson');
  });

  it('keeps the checkpoint of a run that started after another one finished', async () => {
    const us = await service.organization();
    const run = await importsOf(us.id, 'kept.ndjson', ...tags(200));
    let calls = 0;
    const finishedLast = run({
      beforeBatch: async (batch) => {
        // The third transaction removes the checkpoint.
        if (batch !== 3) return;
        await run();
        expect(await run({ shouldStop: () => ++calls > 180 })).toMatchObject({ rows: 150, complete: false });
      },
    });
    expect(await finishedLast).toMatchObject({ created: 200, complete: true });
    expect(await run()).toMatchObject({ resumed: 150, unchanged: 200 });
  });
});

interface Settings {
  /** Called with the number of the transaction after the one that reads the checkpoint, from 1. */
  readonly beforeBatch?: (number: number) => Promise<void>;
  readonly shouldStop?: () => boolean;
}
