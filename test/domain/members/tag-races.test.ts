import { describe, expect, inject, it } from 'vitest';
import { expectInvalid, recordIn } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { separateTransactions } from '../../support/stores/transactions.ts';

interface Fixture {
  readonly organization: TestOrganization;
  readonly memberId: string;
  readonly tagId: string;
}

describe.skipIf(!inject('databaseUrl'))('a change of tags during a concurrent transaction', () => {
  onOneStore((service) => {
    const begin = separateTransactions();

    const createFixture = async (): Promise<Fixture> => {
      const organization = await service.organization();
      const { id: memberId } = recordIn(await organization.post('/members', person()), 201);
      const { id: tagId } = await recordsOf(service, organization.id).tag();
      return { organization, memberId, tagId };
    };

    it('is repeated if PostgreSQL aborts it because of a deadlock', async () => {
      const { organization, memberId, tagId } = await createFixture();
      const other = await begin();
      const key = [organization.id, memberId];
      await other.query('SELECT FROM record_change WHERE organization_id = $1 AND record_id = $2 FOR UPDATE', key);
      const change = organization.patch(`/members/${memberId}/tags`, { add: [tagId] });
      await other.isAwaited();
      await other.query('SELECT FROM member WHERE organization_id = $1 AND id = $2 FOR UPDATE', key);
      await other.query('COMMIT');
      expect(recordIn(await change)).toMatchObject([{ id: tagId }]);
    });

    /** Calls `change` while the tag is deleted, before that is committed. */
    const whileDeleted = async ({ tagId }: Fixture, change: () => ReturnType<TestOrganization['post']>) => {
      const deleting = await begin();
      await deleting.query('DELETE FROM tag WHERE id = $1', [tagId]);
      const answer = change();
      await deleting.isAwaited();
      await deleting.query('COMMIT');
      return answer;
    };

    it('ignores a tag that is deleted', async () => {
      const created = await createFixture();
      const { organization, memberId, tagId } = created;
      const change = () => organization.patch(`/members/${memberId}/tags`, { add: [tagId] });
      expect(recordIn(await whileDeleted(created, change))).toEqual([]);
    });

    it('is rejected in a creation or an update of a member with a tag that is deleted', async () => {
      for (const isCreation of [true, false]) {
        const created = await createFixture();
        const { organization, memberId, tagId } = created;
        const body = { tag_ids: [tagId] };
        const change = () =>
          isCreation ? organization.post('/members', person(body)) : organization.patch(`/members/${memberId}`, body);
        expectInvalid(await whileDeleted(created, change), 'tag_ids');
      }
    });
  });
});
