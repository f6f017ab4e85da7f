import { expect, it } from 'vitest';
import { member, searchColumnsOf } from '../../../src/domain/entities/member.ts';
import { sql } from '../../../src/store/sql.ts';
import { listIn } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { onEachStore } from '../../support/service.ts';

/** In the order of last and first names; sorted by first name, address or email address, they would be in another order. */
const NAMES = [
  ['Zoë', 'Abel', '5'],
  ['ada', 'Adé', '9'],
  ['Béla', 'Ade', '1'],
  ['Ada', 'O’Brien', '7'],
  ['小明', '王', '3'],
] as const;

onEachStore((service) => {
  it('orders members by last name and first name, wherever in the definition their fields are', async () => {
    const organization = await service.organization();
    for (const [first_name, last_name, address] of NAMES.toReversed()) {
      await organization.post('/members', person({ first_name, last_name, address: `${address} Main Street` }));
    }
    const expected = NAMES.map(([first, last]) => `${first} ${last}`);
    const inBothApis = async () => {
      const rest = listIn(await organization.get('/members?order_by=name'));
      const { json } = await graphql(
        service.app,
        organization.key,
      )('{ members(orderBy: { field: NAME }) { nodes { firstName lastName } } }');
      expect(json.data.members.nodes.map((one: Record<string, string>) => `${one.firstName} ${one.lastName}`)).toEqual(
        rest.map((one: Record<string, string>) => `${one.first_name} ${one.last_name}`),
      );
      return rest.map((one: Record<string, string>) => `${one.first_name} ${one.last_name}`);
    };
    expect(await inBothApis()).toEqual(expected);
    // As if a searched field were defined between the names, and another one before them.
    const [first, ...others] = member.searchedFields.filter((name) => name !== 'first_name' && name !== 'last_name');
    const searched = [first as string, 'first_name', ...others, 'last_name'];
    const rows = await service.store.db.rows<Record<string, unknown>>(sql`
      SELECT * FROM member WHERE organization_id = ${organization.id}`);
    for (const row of rows) {
      const { search_text } = searchColumnsOf(row, searched);
      await service.store.db.rows(sql`
        UPDATE member SET search_text = ${search_text} WHERE organization_id = ${organization.id} AND id = ${row.id}`);
    }
    expect(await inBothApis()).toEqual(expected);
  });
});
