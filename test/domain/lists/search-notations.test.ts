import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { expectInvalid, listIn, recordIn } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { onOneStore } from '../../support/service.ts';
import { withMember } from './searching.ts';

onOneStore((service) => {
  it.each([
    ['US', '+16502530000', '(650) 253-0000'],
    ['US', '+16502530000', '+1 650'],
    ['US', '+16502530000', '253 0000'],
    ['US', '+16502530000', 'tel:650-253-0000;phone-context=+1'],
    ['US', '+16502530000', '６５０２５３００００'],
    ['GB', '+16502530000', '00 1 650 253 0000'],
    ['US', '+18003569377', '+1-800-FLOWERS'],
    ['GB', '020 7946 0958', '020 7946'],
    ['GB', '020 7946 0958', '+44 (0)20 7946 0958'],
    ['GB', '020 7946 0958', '0044 20 7946 0958'],
    ['NG', '0803 123 4567', '2348031234567'],
    ['US', '+44 20 7946 0958', '020 7946 0958'],
    ['US', '+1 650-253-0000 ext. 123', '(650) 253-0000 x123'],
  ])('finds, in %s, the number %s by %s', async (country, phone_number, q) => {
    const { member, finds } = await withMember(service, { phone_number }, country);
    expect(await finds(q)).toEqual([member.id]);
  });

  it.each(['650-253-0001', '+44 650 253 0000', '6502530000 98765', '-', '()', '+ - ('])(
    'does not find the number +16502530000 by %s',
    async (q) => {
      const email_address = `robin${randomUUID().replaceAll('-', '')}@example.org`;
      const { member, finds } = await withMember(service, { email_address, phone_number: '+16502530000' });
      expect(await finds(q)).not.toContain(member.id);
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
      '(': 'open (',
      '.*': 'dot .* star',
      '[a-z]': 'class [a-z]',
      '😀': 'smile 😀',
      '👩‍👩‍👧': 'family 👩‍👩‍👧',
      rightleft: 'right\u202eleft',
      '+': 'a + b',
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
      'Łukasz',
      'Straße',
    );
    for (const q of ['Mu\u00f1oz', 'Mun\u0303oz', 'MUN\u0303OZ', 'munoz']) expect(await finds(q)).toEqual(['Muñoz']);
    for (const q of ["o'brien", 'obrien', 'o’brien', 'OʼBrien']) expect(await finds(q)).toEqual(['O’Brien', "O'Brien"]);
    for (const q of ['lee-ann', 'lee–ann', 'LEE‑ANN']) expect(await finds(q)).toEqual(['Lee-Ann', 'Lee—Ann']);
    expect([await finds('lukasz'), await finds('strasse')]).toEqual([['Łukasz'], ['Straße']]);
  });

  it('ignores punctuation around words', async () => {
    const { member, organization, finds } = await withMember(service, {
      first_name: 'Amara',
      last_name: 'Okafor',
      phone_number: '+16502530000',
    });
    const { email_address } = member;
    for (const q of [
      'Okafor, Amara',
      '"Okafor"',
      '“Okafor”, „Amara“',
      `Amara Okafor <${email_address}>`,
      `"Okafor, Amara" <${email_address}>;`,
      'Okafor (Amara)',
      'Okafor - Amara.',
      'Okafor,Amara',
      '«Amara» 「Okafor」、',
      'Amara; Okafor?',
      "'Amara' ’Okafor’",
      'Amara (650) 253-0000',
      '(650)253-0000',
      '"+1 650 253 0000",',
    ]) {
      expect(await finds(q), q).toEqual([member.id]);
    }
    expect(await finds('Okafor, Chidi')).toEqual([]);
    await organization.post('/members', person({ last_name: 'Organ', address: '#12, x@y.org' }));
    expect([await finds('#12'), await finds('@y'), await finds('.org,')].map((ids) => ids.length)).toEqual([1, 1, 3]);
  });

  it('ignores vowel points, invisible characters and which Arabic letter was written', async () => {
    const stored = {
      أَحْمَد: ['احمد', 'أحمد', 'احمد\u200f', 'احـمـد'],
      مَرْيَم: ['مريم', 'مَريم'],
      מֹשֶׁה: ['משה', 'מ\u200bשה'],
      فاطمة: ['فاطمه', 'فَاطِمَة'],
      مصطفى: ['مصطفي', 'مصطفی'],
      'رضا\u200cزاده': ['رضازاده', 'رضا\u200cزاده'],
      كريم: ['کریم'],
      رائد: ['رايد', 'رَائِد'],
    };
    const { finds } = await withNames(...Object.keys(stored));
    for (const [name, searches] of Object.entries(stored)) {
      for (const q of [name, ...searches]) expect(await finds(q), q).toEqual([name]);
    }
  });

  it('finds full names that are written together, in both orders', async () => {
    const organization = await service.organization();
    const names = [
      ['민수', '김'],
      ['小明', '王'],
      ['たろう', 'やまだ'],
      ['タロウ', '山田'],
      ['Ada', 'Lovelace'],
    ];
    for (const [first_name, last_name] of names) await organization.post('/members', person({ first_name, last_name }));
    const found = async (q: string) =>
      listIn(await organization.get(`/members?q=${encodeURIComponent(q)}`)).map(
        ({ first_name, last_name }: { first_name: string; last_name: string }) => [first_name, last_name],
      );
    for (const name of names.slice(0, 4)) {
      const [first, last] = name;
      for (const q of [`${last}${first}`, `${first}${last}`, `${last} ${first}`, `${last}、${first}`]) {
        expect(await found(q), q).toEqual([name]);
      }
    }
    expect([await found('김민'), await found('김민지'), await found('LovelaceAda')]).toEqual([[names[0]], [], []]);
  });

  it.each(['q=%00', 'q=%ED%A0%80', 'q=%FF', 'q=%zz', 'q=a&q=b', 'q[]=a', 'q[not]=', 'q%5B0%5D=a'])(
    'rejects the search %s',
    async (query) => {
      const { organization } = await withNames();
      for (const path of ['/members', '/events']) expectInvalid(await organization.get(`${path}?${query}`), 'q');
    },
  );

  it('finds a member by a changed number, and no longer by the old one', async () => {
    const { organization, member, finds } = await withMember(service, { phone_number: '+16502530000' });
    recordIn(await organization.patch(`/members/${member.id}`, { phone_number: '+16502539999' }));
    expect(await finds('253-9999')).toEqual([member.id]);
    expect(await finds('253-0000')).toEqual([]);
    recordIn(await organization.patch(`/members/${member.id}`, { phone_number: null }));
    expect(await finds('253-9999')).toEqual([]);
  });
});
