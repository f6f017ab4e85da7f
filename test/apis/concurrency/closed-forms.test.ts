import { describe, expect, inject, it } from 'vitest';
import { recordsOf } from '../../support/records.ts';
import { onOneStore } from '../../support/service.ts';
import { separateTransactions } from '../../support/stores/transactions.ts';

describe.skipIf(!inject('databaseUrl'))('a form that is closed during a submission', () => {
  onOneStore((service) => {
    const begin = separateTransactions();

    it.each([
      ['is_published', 'COMMIT', 'form_closed', 0],
      ['accepting_response', 'COMMIT', 'form_closed', 0],
      ['accepting_response', 'ROLLBACK', undefined, 1],
    ])('rejects a response if %s becomes false first: after %s %s', async (column, end, code, stored) => {
      const organization = await service.organization();
      const { id } = await recordsOf(service, organization.id).form({ isPublished: true, acceptingResponse: true });
      const path = `/forms/${id}/responses`;
      const closing = await begin();
      await closing.query(`UPDATE form SET ${column} = false WHERE organization_id = $1 AND id = $2`, [
        organization.id,
        id,
      ]);
      const submission = organization.post(path, { answers: {} });
      await closing.isAwaited();
      await closing.query(end);
      expect((await submission).json.error?.code).toBe(code);
      expect((await organization.get(path)).json.data).toHaveLength(stored);
    });
  });
});
