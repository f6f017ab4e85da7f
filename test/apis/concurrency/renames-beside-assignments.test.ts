import { describe, expect, inject, it, vi } from 'vitest';
import { changesAfter } from '../../support/changes.ts';
import { person } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { separateTransactions } from '../../support/stores/transactions.ts';

describe.skipIf(!inject('databaseUrl'))('a rename during an uncommitted assignment', () => {
  onOneStore((service) => {
    const begin = separateTransactions();
    const isWaiting = async () => {
      const { rows } = await service.store.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%Renamed%'`,
      );
      return rows.length > 0;
    };

    /** Assigns, and renames before that is committed. @returns the changes that a client reads afterwards. */
    const changesOf = async (organization: TestOrganization, assign: string, rename: string) => {
      const { cursor } = await changesAfter(organization, undefined);
      const assigning = await begin();
      await assigning.query(assign);
      const renaming = await begin();
      let isRenamed = false;
      const renamed = renaming.query(rename).then(() => {
        isRenamed = true;
      });
      await vi.waitUntil(async () => isRenamed || (await isWaiting()), { timeout: 10_000 });
      await assigning.query('COMMIT');
      await renamed;
      // The assignment appears with the previous name.
      const before = await vi.waitUntil(
        async () => {
          const read = await changesAfter(organization, cursor);
          return read.changes.length > 0 && read;
        },
        { timeout: 60_000 },
      );
      await renaming.query('COMMIT');
      const { changes } = await changesAfter(organization, before.cursor);
      return [before.changes, changes].map((list) => list.map(({ resource, id }) => `${resource} ${id}`));
    };

    it.each(['head of a department', 'designation'])(
      'of a %s is a change of the records that show it',
      async (kind) => {
        const organization = await service.organization();
        const { id } = (await organization.post('/members', person())).json.data;
        const { designation, department } = recordsOf(service, organization.id);
        const isHead = kind !== 'designation';
        const assigned = isHead ? (await department()).id : (await designation()).id;
        const member = `organization_id = '${organization.id}' AND id = '${id}'`;
        const [before, after] = await changesOf(
          organization,
          isHead
            ? `UPDATE department SET head_id = '${id}' WHERE id = '${assigned}'`
            : `UPDATE member SET designation_id = '${assigned}' WHERE ${member}`,
          isHead
            ? `UPDATE member SET first_name = 'Renamed' WHERE ${member}`
            : `UPDATE designation SET name = 'Renamed' WHERE id = '${assigned}'`,
        );
        expect(before).toEqual([isHead ? `departments ${assigned}` : `members ${id}`]);
        const other = isHead ? `departments ${assigned}` : `designations ${assigned}`;
        expect(after).toEqual(expect.arrayContaining([`members ${id}`, other]));
      },
    );
  });
});
