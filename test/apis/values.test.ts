import { beforeAll, describe, expect, it } from 'vitest';
import { expectInvalid, listIn, recordIn } from '../support/contract.ts';
import { person } from '../support/data.ts';
import { graphql } from '../support/graphql.ts';
import { onOneStore, type TestOrganization } from '../support/service.ts';

const FIELDS = {
  first_name: 'firstName',
  last_name: 'lastName',
  email_address: 'emailAddress',
  phone_number: 'phoneNumber',
};
const INVISIBLE = ['\u200b', '\u00ad', '\u2060', '\ufeff', '\u200d', '\u202a', '\u3164', '\ufe0f'];

onOneStore((service) => {
  let organization: TestOrganization;
  beforeAll(async () => {
    organization = await service.organization({ country: 'US' });
  });

  /** The errors of a creation in each API, or the created member. */
  const inRest = (values: Record<string, unknown>) => organization.post('/members', person(values));
  const inGraphQL = async (values: Record<string, unknown>) => {
    const input = Object.fromEntries(
      Object.entries(person(values)).map(([name, value]) => [FIELDS[name as never], value]),
    );
    const { json } = await graphql(service.app, organization.key)(
      'mutation($input: CreateMemberInput!) { createMember(input: $input) { member { id firstName lastName emailAddress } } }',
      { input },
    );
    return json;
  };

  describe.each(['1.622897306E9', '4.91622897306E12', '1,62e+9'])('the phone number %s', (phone_number) => {
    it('is refused in both APIs as shortened by a spreadsheet', async () => {
      const message = expect.stringContaining('was shortened by a spreadsheet');
      const rest = await inRest({ phone_number });
      expectInvalid(rest, 'phone_number');
      expect(rest.json.error.details).toEqual([{ field: 'phone_number', message }]);
      const { errors } = await inGraphQL({ phone_number });
      expect(errors[0].extensions.details).toEqual([{ field: 'phoneNumber', message }]);
    });
  });

  it('an address with invisible characters is the address without them, also in filters', async () => {
    const plain = person({});
    const { id } = recordIn(await inRest(plain), 201);
    for (const invisible of INVISIBLE) {
      const email_address = `${invisible}${plain.email_address.replace('@', `${invisible}@`)}${invisible}`;
      expect((await inRest({ email_address })).json.error.code).toBe('member_exists');
      expect((await inGraphQL({ email_address })).errors[0].extensions.code).toBe('member_exists');
      const found = await organization.get(`/members?email_address=${encodeURIComponent(email_address)}`);
      expect(listIn(found)).toMatchObject([{ id, email_address: plain.email_address }]);
    }
  });

  it.each(['’', '‘', 'ʼ', '＇', '´'])('an address with %s is refused in both APIs', async (apostrophe) => {
    const email_address = `m.o${apostrophe}neal@example.org`;
    const message = `must be written with a straight apostrophe (') instead of ${apostrophe}`;
    const rest = await inRest({ email_address });
    expect(rest.json.error.details).toEqual([{ field: 'email_address', message }]);
    const { errors } = await inGraphQL({ email_address });
    expect(errors[0].extensions.details).toEqual([{ field: 'emailAddress', message }]);
  });

  it.each(['', '  '])('the blank phone number %j is no error beside another one', async (phone_number) => {
    const values = { phone_number, last_name: '' };
    expectInvalid(await inRest(values), 'last_name');
    const { errors } = await inGraphQL(values);
    expect(errors[0].extensions.details).toMatchObject([{ field: 'lastName' }]);
  });

  it('an empty cursor is none in GraphQL', async () => {
    const { json } = await graphql(
      service.app,
      organization.key,
    )(
      '{ members(first: 1, after: "", before: " ") { pageInfo { hasPreviousPage } } changes(after: "") { pageInfo { hasPreviousPage } } }',
    );
    expect(json.errors).toBeUndefined();
    expect(json.data.members.pageInfo).toEqual({ hasPreviousPage: false });
    expect(json.data.changes.pageInfo).toEqual({ hasPreviousPage: false });
  });

  it('a name loses its invisible characters, but not those that it needs', async () => {
    const written = { first_name: '\ufeffNo\u200bra\u00ad', last_name: '\u200fرضا\u200cزاده 👩\u200d🚒\u2060' };
    const stored = { first_name: 'Nora', last_name: '\u200fرضا\u200cزاده 👩\u200d🚒' };
    expect(recordIn(await inRest(written), 201)).toMatchObject(stored);
    const { data } = await inGraphQL(written);
    expect(data.createMember.member).toMatchObject({ firstName: stored.first_name, lastName: stored.last_name });
  });

  it.each(['\u200b', ' \u3164 ', '\u200d\u200f'])('a name of invisible characters only is blank', async (last_name) => {
    const details = [{ field: 'last_name', message: 'must not be blank' }];
    expect((await inRest({ last_name })).json.error.details).toEqual(details);
    expect((await inGraphQL({ last_name })).errors[0].extensions.details).toMatchObject([
      { message: 'must not be blank' },
    ]);
  });
});
