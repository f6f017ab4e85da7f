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

  it('rejects form fields with more than 8 MB of options, and reads options only if they are selected', async () => {
    const { id: organizationId, key } = await service.organization();
    await manyOf(service, organizationId).forms(45);
    const options = times(500, () => ({ value: 'x'.repeat(255), active: true }));
    const { formField } = service.store.prisma;
    await formField.updateMany({ where: { organizationId }, data: { options, fieldType: 'dropdown' } });
    const fields = await formField.findMany({ where: { organizationId }, select: { id: true } });
    const ids = fields.map(({ id }) => `field_${id}`);
    const nodes = (selection: string, count: number) =>
      graphql(service.app, key)(`query ($ids: [ID!]!) { nodes(ids: $ids) { ... on FormField { ${selection} } } }`, {
        ids: ids.slice(0, count),
      });
    const rejected = await nodes('options { active }', 90);
    expect(rejected.json.data.nodes).toEqual(times(90, () => null));
    expect(new Set(codesIn(rejected))).toEqual(new Set(['query_too_complex']));
    const few = (await nodes('question options { active }', 2)).json.data.nodes;
    expect(few).toEqual(times(2, () => ({ question: 'Why?', options: times(500, () => ({ active: true })) })));
    const questions = (await nodes('question fieldType', 90)).json.data.nodes;
    expect(questions).toEqual(times(90, () => ({ question: 'Why?', fieldType: 'dropdown' })));
  });
});
