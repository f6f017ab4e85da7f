import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { expectInvalid } from '../../support/contract.ts';
import { person } from '../../support/data.ts';
import { expectCounted } from '../../support/requests/refusal.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';

onOneStore((service) => {
  const found = async (organization: TestOrganization, q: string): Promise<string[]> => {
    const answer = await organization.get(`/members?q=${encodeURIComponent(q)}`);
    expect(answer.status).toBe(200);
    expectCounted(answer);
    return answer.json.data.map(({ last_name }: { last_name: string }) => last_name);
  };
  const withNames = async (...names: string[]) => {
    const organization = await service.organization();
    for (const last_name of names) await organization.post('/members', person({ last_name }));
    return organization;
  };

  it.each([
    ['%', '100% sure'],
    ['_', 'snake_case'],
    ['\\', 'back\\slash'],
    ['\\%', 'a\\%b'],
    ['%_', 'x%_y'],
    ["o'h", "O'Hara"],
    ["two''q", "two''quotes"],
    ['"', 'the "one"'],
    [`' OR 1=1 --`, `x' OR 1=1 --`],
    ['$1', 'costs $1'],
    ['?', 'who?'],
    [':name', 'a:name'],
    ['E\\u0041', 'E\\u0041'],
    ['(', 'open ('],
    ['.*', 'dot .* star'],
    ['[a-z]', 'class [a-z]'],
    ['😀', 'smile 😀'],
    ['👩‍👩‍👧', 'family 👩‍👩‍👧'],
    ['\u202e', 'right\u202eleft'],
    ['+', 'a + b'],
    ['&', 'a & b'],
    ['#', 'a # b'],
    ['null', 'Mr Null'],
  ])('finds %o literally, and nothing else', async (q, name) => {
    const organization = await withNames('Plain', name, 'Other');
    expect(await found(organization, q)).toEqual([name]);
  });

  it('ignores accents and their normalization form', async () => {
    const organization = await withNames('Muñoz', 'Munoz', 'Other');
    for (const q of ['Mu\u00f1oz', 'Mun\u0303oz', 'MUN\u0303OZ', 'munoz'])
      expect(await found(organization, q)).toEqual(['Muñoz', 'Munoz']);
  });

  it.each(["o'brien", 'obrien', 'o’brien', 'OʼBrien'])('ignores apostrophes: %s', async (q) => {
    const organization = await withNames('O’Brien', "O'Brien", 'Brien');
    expect(await found(organization, q)).toEqual(['O’Brien', "O'Brien"]);
  });

  it.each(['lee-ann', 'lee–ann', 'LEE‑ANN'])('treats all dashes alike: %s', async (q) => {
    const organization = await withNames('Lee-Ann', 'Lee—Ann', 'Lee Ann');
    expect(await found(organization, q)).toEqual(['Lee-Ann', 'Lee—Ann']);
  });

  it.each([
    ['sorensen', 'Sørensen'],
    ['lukasz', 'Łukasz'],
    ['strasse', 'Straße'],
  ])('finds by %s the name %s', async (q, name) => {
    const organization = await withNames(name, 'Other');
    expect(await found(organization, q)).toEqual([name]);
  });

  it('ignores a blank search', async () => {
    const organization = await withNames('One', 'Two');
    for (const q of ['', ' ', '\u3000\t']) expect(await found(organization, q)).toEqual(['One', 'Two']);
  });

  it('accepts 200 characters of any Unicode plane, and rejects 201', async () => {
    const organization = await withNames('One');
    for (const character of ['a', 'é', '😀']) {
      expect(await found(organization, character.repeat(200))).toEqual([]);
      expectInvalid(await organization.get(`/members?q=${encodeURIComponent(character.repeat(201))}`), 'q');
    }
  });

  it.each(['members', 'forms', 'events', 'services', 'departments', 'tags', 'designations'])(
    'rejects a search of 10 KB in %s',
    async (list) => {
      const organization = await service.organization();
      expectInvalid(await organization.get(`/${list}?q=${'%25'.repeat(10_000)}`), 'q');
    },
  );

  it.each(['%00', 'a%00b', '%ED%A0%80', '%FF', '%C3', '%', '%zz', 'a&q=b', 'a&q[]=b'])(
    'rejects %s as a search',
    async (q) => {
      const organization = await service.organization();
      expectInvalid(await organization.get(`/members?q=${q}`), 'q');
      expectInvalid(await organization.get(`/events?q=${q}`), 'q');
    },
  );

  it('rejects a search given as a list', async () => {
    const organization = await service.organization();
    for (const query of ['q[]=a', 'q[not]=', 'q%5B0%5D=a']) {
      expectInvalid(await organization.get(`/members?${query}`), 'q');
    }
  });

  it('does not match across two fields', async () => {
    const organization = await withNames('Field');
    expect(await found(organization, 'RobinField')).toEqual([]);
  });

  it.each(['\u001f', 'n\u001fF', '\u001e', '\u001d', '\u0001', '\uffff', '\u007f'])(
    'finds nothing for %o, which no field contains',
    async (q) => {
      const organization = await withNames('Field');
      expect(await found(organization, q)).toEqual([]);
    },
  );

  it('finds a phone number in any common format', async () => {
    const organization = await service.organization();
    await organization.post('/members', person({ phone_number: '+16502530000' }));
    const formats = ['+16502530000', '(650) 253-0000', '650-253-0000', '650.253.0000', '+1 650 253 0000', '253-0000'];
    for (const q of [...formats, '６５０２５３', '１-650-253-0000'])
      expect(await found(organization, q)).toEqual(['Field']);
  });

  it.each(['-', '()', '( )', '+()', '+ - ('])('does not match phone numbers by %o alone', async (q) => {
    const organization = await service.organization();
    const email_address = `robin${randomUUID().replaceAll('-', '')}@example.org`;
    await organization.post('/members', person({ email_address, phone_number: '+16502530000' }));
    expect(await found(organization, q)).toEqual([]);
  });
});
