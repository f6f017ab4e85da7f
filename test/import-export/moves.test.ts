import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { expect, it } from 'vitest';
import { readMapping } from '../../src/cli/mapping-file.ts';
import { onOneDatabase } from '../support/service.ts';
import { exported, importText, ndjson } from './imports.ts';

const PEOPLE = 200;

interface Person {
  readonly id: string;
  readonly first: string;
  readonly last: string;
  readonly email: string;
  readonly day: string;
  readonly zip: string;
}

/** People with unusual names, of whom every fifth has no birthday. */
const people = Array.from({ length: PEOPLE }, (_, at): Person => {
  const pad = (number: number) => String(number).padStart(2, '0');
  return {
    id: String(1000 + at),
    first: ['Renée', 'Tom & Ann', "D'Arcy", 'Søren', '小明'][at % 5] as string,
    last: ['O’Neal', 'von der Heide', 'Null', 'Smith-Jones', 'Nguyễn', 'R&D'][at % 6] as string,
    email: `move${at}@moves.example.org`,
    day: at % 5 === 0 ? '' : `${1940 + (at % 80)}-${pad(1 + (at % 12))}-${pad(1 + (at % 28))}`,
    zip: String(10_000 + at),
  };
});

const dayFirst = (day: string, separator: string) => day.split('-').reverse().join(separator);

/** How the systems write people, and how they write that there is no birthday. */
const SYSTEMS = [
  {
    system: 'planning-center',
    country: 'US',
    delimiter: ',',
    row: ({ id, first, last, email, day, zip }: Person, at: number) => ({
      'Person ID': id,
      'First Name': first,
      'Last Name': last,
      Birthdate: day === '' ? '03/17/1885' : `${day.slice(5).replace('-', '/')}/${day.slice(0, 4)}`,
      Gender: at % 2 ? 'M' : 'Female',
      Membership: 'Member',
      'Home Address Zip Code': zip,
      'Home Email': email,
    }),
  },
  {
    system: 'elvanto',
    country: 'AU',
    delimiter: ',',
    row: ({ id, first, last, email, day, zip }: Person, at: number) => ({
      'Member ID': id,
      'First Name': first,
      'Preferred Name': '',
      'Last Name': last,
      Email: email,
      Phone: '',
      Mobile: '',
      Gender: at % 2 ? 'Male' : 'Female',
      Birthday: day === '' ? '0000-00-00' : `${day} 00:00:00`,
      'People Category': 'Member',
      'Home Address': '1 High St',
      'Home City': 'Perth',
      'Home State': 'WA',
      'Home Postcode': `="${zip}"`,
      'Home Country': 'Australia',
    }),
  },
  {
    system: 'churchtools',
    country: 'DE',
    delimiter: ';',
    row: ({ id, first, last, email, day, zip }: Person, at: number) => ({
      ID: id,
      Vorname: first,
      Name: last,
      PLZ: zip,
      Geschlecht: at % 2 ? 'männlich' : 'weiblich',
      'E-Mail': email,
      Geburtsdatum: day === '' ? '00.00.0000' : dayFirst(day, '.'),
      Status: 'Member',
    }),
  },
];

onOneDatabase((service) => {
  it.each(SYSTEMS)('everybody with an address moves from $system on the first try', async (settings) => {
    const { system, country, delimiter, row } = settings;
    const { id } = await service.organization({ country });
    await importText(service.store, id, 'designations.ndjson', ndjson({ name: 'Member' }));
    const { columns, values } = await readMapping(join(import.meta.dirname, `../../docs/mappings/${system}.json`));
    const of = people.map((person) => ({ ...person, email: `${system}.${person.email}` }));
    const csv = stringify(
      of.map((person, at): object => row(person, at)),
      { header: true, delimiter, bom: true, record_delimiter: 'windows' },
    );
    const mapping = { map: columns, optionalColumns: new Set(Object.keys(columns)), valueMap: values };
    const counts = { created: PEOPLE, rejected: 0, null_cells: PEOPLE / 5, similar_columns: {} };
    const run = (dryRun: boolean) => importText(service.store, id, 'members.csv', csv, { ...mapping, dryRun });
    expect(await run(true)).toMatchObject(counts);
    expect(await run(false)).toMatchObject(counts);
    const stored = await exported(service.store, id, 'members');
    expect(stored).toMatchObject(
      of.map(({ id: external_id, first, last, email, day, zip }, at) => ({
        external_id,
        first_name: first,
        last_name: last,
        email_address: email,
        date_of_birth: day || null,
        zip_code: zip,
        gender: at % 2 ? 'Male' : 'Female',
        designation: 'Member',
        ...(system === 'elvanto' && { address: '1 High St', city: 'Perth', state: 'WA', country: 'Australia' }),
      })),
    );
  });
});
