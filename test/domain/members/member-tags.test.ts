import { expect, it } from 'vitest';
import { expectError, recordIn } from '../../support/contract.ts';
import { person, times } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneDatabase } from '../../support/service.ts';

const NOT_ASSIGNABLE = [
  { source: 'admin', privacy: 'private' },
  { source: 'system', privacy: 'public' },
  { source: 'ai', privacy: 'public' },
];

onOneDatabase((service) => {
  async function withMember() {
    const organization = await service.organization();
    const { id } = recordIn(await organization.post('/members', person()), 201);
    const records = recordsOf(service, organization.id);
    const give = (tagId: string) =>
      service.store.prisma.memberTag.create({ data: { organizationId: organization.id, memberId: id, tagId } });
    const held = async () => {
      const rows = await service.store.prisma.memberTag.findMany({ where: { organizationId: organization.id } });
      return rows.map(({ tagId }) => tagId).sort();
    };
    const patch = (body: unknown) => organization.patch(`/members/${id}/tags`, body);
    const ids = async (body: unknown) => recordIn(await patch(body)).map((tag: { id: string }) => tag.id);
    return { organization, id, records, give, held, patch, ids };
  }

  it.each(NOT_ASSIGNABLE)(
    'neither adds, removes nor returns a tag of source $source that is $privacy',
    async (kind) => {
      const { records, ids, give, held } = await withMember();
      const [tag, given, other] = [await records.tag(kind), await records.tag(kind), await records.tag()];
      await give(given.id);
      expect(await ids({ add: [tag.id, other.id], remove: [given.id] })).toEqual([other.id]);
      expect(await held()).toEqual([given.id, other.id].sort());
    },
  );

  it('rejects an id in both add and remove, even an unknown one, and changes nothing', async () => {
    const { records, patch, held } = await withMember();
    const [tag, other] = [await records.tag(), await records.tag()];
    for (const id of [tag.id, 'nonsense']) {
      const answer = await patch({ add: [other.id, id], remove: [id] });
      expectError(answer, 400, 'invalid_request');
    }
    expect(await held()).toEqual([]);
  });

  it('accepts 100 different ids, and rejects 101 to add and remove together', async () => {
    const { records, patch, held } = await withMember();
    const { id } = await records.tag();
    const [add, remove] = [[id, ...times(59, (n) => `add_${n}`)], times(41, (n) => `remove_${n}`)];
    expectError(await patch({ add, remove }), 400, 'invalid_request');
    expect(await held()).toEqual([]);
    recordIn(await patch({ add: [...add, ...add.slice(0, 30)], remove: remove.slice(1) }));
    expect(await held()).toEqual([id]);
  });

  it('changes neither updated_at nor any other field of the member', async () => {
    const { organization, id, records, ids } = await withMember();
    const before = recordIn(await organization.get(`/members/${id}`));
    await ids({ add: [(await records.tag()).id] });
    expect(recordIn(await organization.get(`/members/${id}`))).toEqual(before);
  });
});
