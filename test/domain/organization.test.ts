import { expect, it } from 'vitest';
import { createOrganization, listOrganizations } from '../../src/domain/organization.ts';
import { onEachStore } from '../support/service.ts';

const invalid = (field: string) =>
  expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(field) });

onEachStore((service) => {
  it('is made of a name and a country, and listed afterwards, oldest first', async () => {
    const first = await createOrganization(service.store, { name: ' Grace Chapel ', country: 'ng' }, 'test');
    expect(first).toEqual({
      id: expect.stringMatching(/^org_[0-9a-z]{26}$/),
      name: 'Grace Chapel',
      country: 'NG',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const second = await createOrganization(service.store, { name: 'Grace Chapel', country: 'GB' }, 'test');
    const own = (await listOrganizations(service.store)).filter(({ id }) => [first.id, second.id].includes(id));
    expect(own).toEqual([first, second]);
  });

  it.each(['US', 'GB', 'NG', 'DE', 'IT', 'ZW', 'ZA'])('can be in %s', async (country) => {
    expect((await createOrganization(service.store, { name: 'X', country }, 'test')).country).toBe(country);
  });

  // Not ISO 3166-1: reserved, withdrawn or user-assigned codes. No phone number could be read there.
  it.each([
    'UK',
    'EU',
    'UN',
    'ZZ',
    'XX',
    'XA',
    'QO',
    'EZ',
    'AN',
    'SU',
    'DD',
    'USA',
    'U',
    '',
    '1A',
    'ÄÖ',
    'u s',
    840,
    null,
  ])('cannot be in %j', async (country) => {
    await expect(createOrganization(service.store, { name: 'X', country }, 'test')).rejects.toThrow(invalid('country'));
  });

  it.each(['', ' ', 'x'.repeat(256), 'a\0b', null, undefined, 5])('cannot be called %j', async (name) => {
    await expect(createOrganization(service.store, { name, country: 'US' }, 'test')).rejects.toThrow(invalid('name'));
  });
});
