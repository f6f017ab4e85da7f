import { expect, it } from 'vitest';
import { resourceOf } from '../../../src/import-export/resources/registry.ts';

const parse = (values: Record<string, unknown>) =>
  resourceOf('members').parse(values, { country: 'US', timeZone: 'UTC' });

it('finds every invalid and every missing value, and keeps the valid ones', () => {
  const row = parse({
    external_id: '1',
    last_name: ' Hill ',
    phone_number: '253-0000',
    gender: 'male',
    date_of_birth: '2999-01-01',
    city: 'x'.repeat(256),
    tags: ['choir', ''],
  });
  expect(row).toEqual({
    input: { external_id: '1', last_name: 'Hill' },
    errors: [
      { field: 'gender', message: 'must be one of Male, Female, Others' },
      { field: 'city', message: 'must be at most 255 characters' },
      { field: 'tags.1', message: 'must not be blank' },
      { field: 'phone_number', message: 'must have an area code' },
      { field: 'date_of_birth', message: 'must be a date from 1850-01-01 to today' },
    ],
    missing: [
      { field: 'first_name', message: 'required' },
      { field: 'email_address', message: 'required' },
    ],
  });
});

it('stores the phone number in E.164 format', () => {
  expect(parse({ phone_number: '(202) 555-0101', date_of_birth: '1850-01-01' }).input).toEqual({
    phone_number: '+12025550101',
    date_of_birth: '1850-01-01',
  });
});

it('reports an explicit null of a required field', () => {
  const row = parse({ first_name: null, last_name: 'Hill', email_address: 'a@example.org', city: null });
  expect(row).toEqual({
    input: { last_name: 'Hill', email_address: 'a@example.org', city: null },
    errors: [{ field: 'first_name', message: 'required' }],
  });
});
