import { expect, it } from 'vitest';
import { sql } from '../../../src/store/sql.ts';
import { times } from '../../support/data.ts';
import { onOneDatabase } from '../../support/service.ts';
import { importText } from '../imports.ts';

onOneDatabase((service) => {
  const tags = (prefix: string) => `name\n${times(200, (n) => `${prefix} ${n}\n`).join('')}`;
  /** Imports the first 150 rows of a file. */
  const interrupted = (organizationId: string, content: string) => {
    let stopped = false;
    return importText(service.store, organizationId, 'tags.csv', content, {
      shouldStop: () => stopped,
      onProgress: () => {
        stopped = true;
      },
    });
  };
  const checkpoints = (organizationId: string, resource: string = 'tags') =>
    service.store.db.rows<{ rows_done: number }>(sql`
      SELECT rows_done FROM import_progress WHERE organization_id = ${organizationId} AND resource = ${resource}
      ORDER BY rows_done`);
  const age = (organizationId: string, days: number) =>
    service.store.db.rows(sql`
      UPDATE import_progress SET updated_at = now() - ${days}::int * interval '1 day'
      WHERE organization_id = ${organizationId}`);

  it('the progress of an import that is not continued is deleted after 30 days, by the next import', async () => {
    const [us, other] = [await service.organization(), await service.organization()];
    await interrupted(us.id, tags('Abandoned'));
    await age(us.id, 31);
    await interrupted(other.id, tags('Other'));
    expect([await checkpoints(us.id), await checkpoints(other.id)]).toEqual([[], [{ rows_done: 150 }]]);
    expect(await importText(service.store, us.id, 'tags.csv', tags('Abandoned'))).toMatchObject({
      resumed: 0,
      created: 50,
      rejected: 0,
    });
  });

  it('an import can be continued for 30 days', async () => {
    const us = await service.organization();
    await interrupted(us.id, tags('Continued'));
    await age(us.id, 29);
    expect(await importText(service.store, us.id, 'tags.csv', tags('Corrected'))).toMatchObject({ resumed: 0 });
    expect(await importText(service.store, us.id, 'tags.csv', tags('Continued'))).toMatchObject({ resumed: 150 });
    expect(await checkpoints(us.id)).toEqual([]);
  });

  it('an import that version 1.0 began starts again at its first row', async () => {
    const us = await service.organization();
    await interrupted(us.id, tags('Older'));
    await service.store.db.rows(sql`
      UPDATE import_progress SET counts = '{"importId":"x","counts":{"created":150},"rejects":null,"waiting":[],"reasons":{}}'
      WHERE organization_id = ${us.id}`);
    const result = await importText(service.store, us.id, 'tags.csv', tags('Older'));
    expect(result).toMatchObject({ resumed: 0, created: 50, unchanged: 150, run_id: expect.stringMatching(/^imp_/) });
  });
});
