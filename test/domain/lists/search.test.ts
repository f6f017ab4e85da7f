import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { routes } from '../../../src/rest/routes.ts';
import { expectInvalid, listIn, recordIn } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { DERIVED_ENTITIES, exampleValuesOf, segmentOf } from '../../support/derived-records.ts';
import { type Records, recordsOf } from '../../support/records.ts';
import { onOneDatabase, onOneStore, type TestOrganization, type TestService } from '../../support/service.ts';

/**
 * For each searchable list except members: creates a record with `text` in the searched field and `other` in all
 * others.
 */
const NAMED: Record<string, (records: Records, named: string, elsewhere: string) => Promise<{ id: string | number }>> =
  {
    ...Object.fromEntries(DERIVED_ENTITIES.filter(({ entity }) => entity.searched.length > 0).map(withTexts)),
    '/forms': (records, title, other) => records.form({ title, description: other }),
    '/events': (records, title, other) =>
      records.event({ title, description: other, eventType: other, location: other, venue: other }),
    '/services': (records, title, other) =>
      records.service({ title, description: other, schedule: other, location: other, frequency: other, days: [other] }),
    '/departments': (records, name) => records.department({ name }),
    '/tags': (records, name, other) =>
      records.tag({ name, slug: `${other}-${randomUUID()}`, description: other, category: other, color: other }),
    '/designations': (records, name) => records.designation({ name }),
    '/prayer-requests': (records, title, other) =>
      records.prayerRequest({ title, sender: other, senderEmail: other, senderPhone: other, status: other }),
  };

/** The same for an entity whose records are derived: all texts that are not searched are `elsewhere`. */
function withTexts({ name, entity }: (typeof DERIVED_ENTITIES)[number]): [string, (typeof NAMED)[string]] {
  const { searched } = entity;
  return [
    `/${segmentOf(entity)}`,
    async (records, named, elsewhere) => {
      const texts = Object.keys(exampleValuesOf(entity)).filter((field) => entity.fields[field]?.type === 'text');
      const values = texts.map((field) => [field, searched.includes(field) ? 'Peace' : elsewhere]);
      return { id: await records.derived(name, { ...Object.fromEntries(values), [searched[0] as string]: named }) };
    },
  ];
}

const found = async (organization: TestOrganization, path: string, q: string): Promise<(string | number)[]> =>
  listIn(await organization.get(`${path}?q=${encodeURIComponent(q)}`)).map(({ id }: { id: string }) => id);

/** A member of a new organization, and a search in that organization. */
async function withMember(service: TestService, fields: Record<string, unknown>, country = 'US') {
  const organization = await service.organization({ country });
  const member = recordIn(await organization.post('/members', person(fields)), 201);
  await organization.post('/members', person({ last_name: 'Bystander' }));
  return { organization, member, finds: (q: string) => found(organization, '/members', q) };
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

    it('accepts `search` as an alias of `q`, but not both at once', async () => {
      const { organization, ids } = await withRecords('One', 'Two');
      expect(listIn(await organization.get(`${path}?search=two`)).map(({ id }: { id: string }) => id)).toEqual([
        ids[1],
      ]);
      expectInvalid(await organization.get(`${path}?search=${'x'.repeat(201)}`), 'search');
      expectInvalid(await organization.get(`${path}?q=one&search=one`), 'search');
      expectInvalid(await organization.get(`${path}?search=one&search=one`), 'search');
    });

    it('accepts 200 characters, and rejects 201', async () => {
      const { organization, ids } = await withRecords('x'.repeat(200), 'x');
      expect(await found(organization, path, 'x'.repeat(200))).toEqual([ids[0]]);
      expectInvalid(await organization.get(`${path}?q=${'x'.repeat(201)}`), 'q');
    });

    it('lists everything when the search is blank', async () => {
      const { organization, ids } = await withRecords('One', 'Two');
      expect(await found(organization, path, '')).toEqual(ids);
      expect(await found(organization, path, '  ')).toEqual(ids);
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

  it.each(['gender', 'marital_status', 'date_of_birth', 'city', 'state', 'zip_code', 'country', 'designation'])(
    'does not find a member by %s',
    async (field) => {
      const values = { gender: 'Others', marital_status: 'widowed', date_of_birth: '1987-06-05', city: 'Springfield' };
      const others = { state: 'Illinois', zip_code: 'ZIP 62701', country: 'Ruritania' };
      const { organization, member, finds } = await withMember(service, { ...values, ...others });
      const designation = await recordsOf(service, organization.id).designation({ name: 'Treasurer' });
      await organization.patch(`/members/${member.id}`, { designation_id: designation.id });
      const shown = recordIn(await organization.get(`/members/${member.id}`))[field];
      expect(shown).toEqual(expect.stringMatching(/./));
      expect(await finds(shown)).toEqual([]);
    },
  );

  it('does not match one word across two fields', async () => {
    const { finds } = await withMember(service, { first_name: 'Ada', last_name: 'Lovelace', address: 'Main' });
    for (const q of ['AdaLovelace', 'Lovelacerobin', 'a%L', 'a_L']) {
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

  it.each(['\u001f', 'Ada\u001fLovelace', '\u001fLove'])('does not match across two fields: %j', async (q) => {
    const { finds } = await withMember(service, { first_name: 'Ada', last_name: 'Lovelace' });
    expect(await finds(q)).toEqual([]);
  });

  it('lists a member once that matches in every field', async () => {
    const fields = { first_name: 'Zulu 650', last_name: 'Zulu 650', address: 'Zulu 650', phone_number: '+16502530650' };
    const { member, finds } = await withMember(service, fields);
    expect(await finds('zulu')).toEqual([member.id]);
    expect((await finds('650')).filter((id) => id === member.id)).toHaveLength(1);
  });
});

onOneStore((service) => {
  it.each([
    ['US', '+16502530000', '(650) 253-0000'],
    ['US', '+16502530000', '650.253.0000'],
    ['US', '+16502530000', '+1 650'],
    ['US', '+16502530000', '1-650-253-0000'],
    ['US', '+16502530000', '253 0000'],
    ['US', '+16502530000', 'tel:+1-650-253-0000'],
    ['US', '+16502530000', 'tel:650-253-0000;phone-context=+1'],
    ['US', '+16502530000', '６５０２５３００００'],
    ['US', '+16502530000', '011 1 650 253 0000'],
    ['GB', '+16502530000', '00 1 650 253 0000'],
    ['US', '+18003569377', '+1-800-FLOWERS'],
    ['GB', '020 7946 0958', '020 7946'],
    ['GB', '020 7946 0958', '+44 20 7946 0958'],
    ['GB', '020 7946 0958', '+44 (0)20 7946 0958'],
    ['GB', '020 7946 0958', '0044 20 7946 0958'],
    ['NG', '0803 123 4567', '0803-123'],
    ['NG', '0803 123 4567', '+234 803 123 4567'],
    ['NG', '0803 123 4567', '2348031234567'],
    ['US', '+44 20 7946 0958', '020 7946 0958'],
    ['IT', '06 698 12345', '06 69812345'],
    ['US', '+1 650-253-0000 ext. 123', '650-253-0000'],
    ['US', '+1 650-253-0000 ext. 123', '(650) 253-0000 x123'],
  ])('finds, in %s, the number %s by %s', async (country, phone_number, q) => {
    const { member, finds } = await withMember(service, { phone_number }, country);
    expect(await finds(q)).toEqual([member.id]);
  });

  it.each(['650-253-0001', '+44 650 253 0000', '6502530000 98765', 'tel:+1-650-253-0001'])(
    'does not find the number +16502530000 by %s',
    async (q) => {
      const { finds } = await withMember(service, { phone_number: '+16502530000' });
      expect(await finds(q)).toEqual([]);
    },
  );

  const withNames = async (...names: string[]) => {
    const organization = await service.organization();
    for (const last_name of names) await organization.post('/members', person({ last_name }));
    const finds = async (q: string) =>
      listIn(await organization.get(`/members?q=${encodeURIComponent(q)}`)).map(
        (one: { last_name: string }) => one.last_name,
      );
    return { organization, finds };
  };

  it('finds quotation marks, SQL, patterns, emoji and control characters literally', async () => {
    const names = {
      "two''q": "two''quotes",
      '"': 'the "one"',
      "' OR 1=1 --": "x' OR 1=1 --",
      $1: 'costs $1',
      '?': 'who?',
      ':name': 'a:name',
      'E\\u0041': 'E\\u0041',
      '(': 'open (',
      '.*': 'dot .* star',
      '[a-z]': 'class [a-z]',
      '😀': 'smile 😀',
      '👩‍👩‍👧': 'family 👩‍👩‍👧',
      '\u202e': 'right\u202eleft',
      '+': 'a + b',
      '&': 'a & b',
      '#': 'a # b',
      null: 'Mr Null',
    };
    const { finds } = await withNames('Plain', ...Object.values(names));
    for (const [q, name] of Object.entries(names)) expect(await finds(q)).toEqual([name]);
    for (const q of ['\u001f', 'n\u001fF', '\u0001', '\uffff', '\u007f']) expect(await finds(q)).toEqual([]);
  });

  it('ignores accents, apostrophes and kinds of dashes', async () => {
    const { finds } = await withNames(
      'Muñoz',
      'O’Brien',
      "O'Brien",
      'Lee-Ann',
      'Lee—Ann',
      'Lee Ann',
      'Sørensen',
      'Łukasz',
      'Straße',
    );
    for (const q of ['Mu\u00f1oz', 'Mun\u0303oz', 'MUN\u0303OZ', 'munoz']) expect(await finds(q)).toEqual(['Muñoz']);
    for (const q of ["o'brien", 'obrien', 'o’brien', 'OʼBrien']) expect(await finds(q)).toEqual(['O’Brien', "O'Brien"]);
    for (const q of ['lee-ann', 'lee–ann', 'LEE‑ANN']) expect(await finds(q)).toEqual(['Lee-Ann', 'Lee—Ann']);
    expect([await finds('sorensen'), await finds('lukasz'), await finds('strasse')]).toEqual([
      ['Sørensen'],
      ['Łukasz'],
      ['Straße'],
    ]);
  });

  it.each(['%00', 'a%00b', '%ED%A0%80', '%FF', '%C3', '%', '%zz', 'a&q=b', 'a&q[]=b', '%25'.repeat(10_000)])(
    'rejects %s as a search',
    async (q) => {
      const { organization } = await withNames();
      for (const path of ['/members', '/events']) expectInvalid(await organization.get(`${path}?q=${q}`), 'q');
    },
  );

  it('rejects a search given as a list', async () => {
    const { organization } = await withNames();
    for (const query of ['q[]=a', 'q[not]=', 'q%5B0%5D=a'])
      expectInvalid(await organization.get(`/members?${query}`), 'q');
  });

  it.each(['-', '()', '( )', '+()', '+ - ('])('does not match phone numbers by %o alone', async (q) => {
    const { organization } = await withNames();
    const email_address = `robin${randomUUID().replaceAll('-', '')}@example.org`;
    await organization.post('/members', person({ email_address, phone_number: '+16502530000' }));
    expect(await found(organization, '/members', q)).toEqual([]);
  });

  it('finds a member by a changed number, and no longer by the old one', async () => {
    const { organization, member, finds } = await withMember(service, { phone_number: '+16502530000' });
    recordIn(await organization.patch(`/members/${member.id}`, { phone_number: '+16502539999' }));
    expect(await finds('253-9999')).toEqual([member.id]);
    expect(await finds('253-0000')).toEqual([]);
    recordIn(await organization.patch(`/members/${member.id}`, { phone_number: null }));
    expect(await finds('253-9999')).toEqual([]);
  });
});
