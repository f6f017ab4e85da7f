import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { routes } from '../../../src/rest/routes.ts';
import { expectInvalid, listIn } from '../../support/contract.ts';
import { DERIVED_ENTITIES, exampleValuesOf, segmentOf } from '../../support/derived-records.ts';
import { type Records, recordsOf } from '../../support/records.ts';
import { onOneDatabase } from '../../support/service.ts';
import { found, withMember } from './searching.ts';

/**
 * For each searchable list except members: creates a record with `named` in the searched field and `elsewhere` in all
 * others.
 */
const NAMED: Record<string, (records: Records, named: string, elsewhere: string) => Promise<{ id: string | number }>> =
  {
    ...Object.fromEntries(DERIVED_ENTITIES.filter(({ entity }) => entity.searchedFields.length > 0).map(withTexts)),
    '/forms': (records, title, other) => records.form({ title, description: other }),
    '/departments': (records, name) => records.department({ name }),
    '/tags': (records, name, other) =>
      records.tag({ name, slug: `${other}-${randomUUID()}`, description: other, category: other, color: other }),
  };

/** The same for an entity whose records are derived: all texts that are not searched are `elsewhere`. */
function withTexts({ name, entity }: (typeof DERIVED_ENTITIES)[number]): [string, (typeof NAMED)[string]] {
  const { searchedFields } = entity;
  return [
    `/${segmentOf(entity)}`,
    async (records, named, elsewhere) => {
      const texts = Object.keys(exampleValuesOf(entity)).filter((field) => entity.fields[field]?.type === 'text');
      const values = texts.map((field) => [field, searchedFields.includes(field) ? 'Peace' : elsewhere]);
      const record = { ...Object.fromEntries(values), [searchedFields[0] as string]: named };
      return { id: await records.derived(name, record) };
    },
  ];
}

it('is tested here for every searchable list', () => {
  const lists = routes.filter(({ operation, input }) => 'q' in (input.parts(operation.input).query?.shape ?? {}));
  expect(lists.map(({ path }) => path).sort()).toEqual(['/members', ...Object.keys(NAMED)].sort());
});

onOneDatabase((service) => {
  describe.each(Object.entries(NAMED))('of %s', (path, make) => {
    const withRecords = async (...texts: string[]) => {
      const organization = await service.organization();
      const records = recordsOf(service, organization.id);
      const ids: (string | number)[] = [];
      for (const text of texts) ids.push((await make(records, text, 'elsewhere')).id);
      return { organization, ids };
    };

    it('matches part of the searched field in any letter case, and no other field', async () => {
      const { organization, ids } = await withRecords('Été ΟΔΥΣΣΕΥΣ Straße');
      expect(await found(organization, path, 'other')).toEqual([]);
      for (const q of ['été', 'ÉTÉ', 'é οδυσσευς', 'STRASSE', 'traß', ' Été ', 'E\u0301te\u0301']) {
        expect(await found(organization, path, q), q).toEqual([ids[0]]);
      }
      expect(await found(organization, path, 'elsewhere')).toEqual([]);
    });

    it('treats %, _ and \\ as ordinary characters', async () => {
      const { organization, ids } = await withRecords('100% sure', 'snake_case', 'back\\slash', 'plain');
      expect(await found(organization, path, '%')).toEqual([ids[0]]);
      expect(await found(organization, path, '_')).toEqual([ids[1]]);
      expect(await found(organization, path, '\\')).toEqual([ids[2]]);
      expect(await found(organization, path, '%_')).toEqual([]);
      expect(await found(organization, path, 'p%n')).toEqual([]);
    });

    it('matches all words in any order, and nothing if one is missing', async () => {
      const { organization, ids } = await withRecords('Summer of Prayer', 'Prayer breakfast');
      for (const q of ['prayer summer', 'SUMMER  prayer', 'yer\u3000sum\tof', 'prayer summer prayer']) {
        expect(await found(organization, path, q), q).toEqual([ids[0]]);
      }
      expect(await found(organization, path, 'prayer')).toEqual(ids);
      expect(await found(organization, path, 'summer breakfast')).toEqual([]);
      expect(await found(organization, path, 'prayer %')).toEqual([]);
    });

    it('accepts up to 200 characters, blank ones too, and `search` as an alias of `q`, but not both at once', async () => {
      const { organization, ids } = await withRecords('x'.repeat(200), 'two');
      expect(await found(organization, path, 'x'.repeat(200))).toEqual([ids[0]]);
      expect(await found(organization, path, '  ')).toEqual(ids);
      expect(listIn(await organization.get(`${path}?search=two`))).toMatchObject([{ id: ids[1] }]);
      for (const name of ['q', 'search']) {
        expectInvalid(await organization.get(`${path}?${name}=${'x'.repeat(201)}`), name);
      }
      expectInvalid(await organization.get(`${path}?q=one&search=one`), 'search');
    });
  });

  it.each([
    ['first_name', 'Quillfeather', 'LLFEAT'],
    ['last_name', 'Ostrander', 'ostrand'],
    ['address', '9 Zephyr Lane', 'zephyr l'],
    ['phone_number', '+16502530000', '+165025'],
  ])('finds a member by part of %s', async (field, value, q) => {
    const { member, finds } = await withMember(service, { [field]: value });
    expect(await finds(q)).toEqual([member.id]);
  });

  it('finds a member by part of the email address in any letter case', async () => {
    const { member, finds } = await withMember(service, {});
    expect(await finds(member.email_address.slice(2, -3).toUpperCase())).toEqual([member.id]);
  });

  it('finds a member by no other field', async () => {
    const values = { gender: 'Others', marital_status: 'widowed', date_of_birth: '1987-06-05', city: 'Springfield' };
    const others = { state: 'Illinois', zip_code: 'ZIP 62701', country: 'Ruritania' };
    const { organization, member, finds } = await withMember(service, { ...values, ...others });
    const designation = await recordsOf(service, organization.id).designation({ name: 'Treasurer' });
    await organization.patch(`/members/${member.id}`, { designation_id: designation.id });
    for (const q of [...Object.values({ ...values, ...others }), 'Treasurer']) expect(await finds(q), q).toEqual([]);
  });

  it('does not match one word across two fields', async () => {
    const { finds } = await withMember(service, { first_name: 'Ada', last_name: 'Lovelace', address: 'Main' });
    for (const q of ['AdaLovelace', 'Lovelacerobin', 'a_L', 'Ada\u001fLovelace']) {
      expect(await finds(q), q).toEqual([]);
    }
  });

  it('matches words in several fields, in any order', async () => {
    const fields = { first_name: 'Ada', last_name: 'Lovelace', address: '9 Main Street', phone_number: '+16502530000' };
    const { member, finds } = await withMember(service, fields);
    for (const q of ['Ada Lovelace', 'lovelace ADA', 'main lace', 'ada +16502530000', 'ada (650) 253-0000']) {
      expect(await finds(q), q).toEqual([member.id]);
    }
    for (const q of ['Ada Byron', 'lovelace ada bystander', 'ada 253-0001']) expect(await finds(q), q).toEqual([]);
  });
});
