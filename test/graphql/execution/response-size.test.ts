import { expect, it } from 'vitest';
import { times } from '../../support/data.ts';
import { codesIn, graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  it('rejects a response of more than 8 million characters', async () => {
    const { id, key } = await service.organization();
    const many = manyOf(service, id);
    const members = await many.members(100);
    await many.departments(100, () => members);
    await service.store.prisma.member.updateMany({ where: { organizationId: id }, data: { address: 'x'.repeat(255) } });
    const addresses = times(50, (n) => `a${n}: address`).join(' ');
    const roster = (selection: string) =>
      graphql(
        service.app,
        key,
      )(`{ departments(first: 100) { edges { node { members(first: 100) { edges { node { ${selection} } } } } } } }`);
    const rejected = await roster(addresses);
    expect([rejected.status, codesIn(rejected), rejected.json.data]).toEqual([400, ['query_too_complex'], undefined]);
    const accepted = await roster('address');
    expect([accepted.status, accepted.json.errors]).toEqual([200, undefined]);
  });
});
