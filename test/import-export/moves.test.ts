import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { expect, it } from 'vitest';
import { readMapping } from '../../src/cli/mapping-file.ts';
import { onOneDatabase } from '../support/service.ts';
import { codes, exported, exportText, importText, ndjson, undo } from './imports.ts';

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

  it.each(SYSTEMS)(
    'families move from $system with --fill-email, and a newer export changes only what is newer',
    async (settings) => {
      const { system, country, delimiter, row } = settings;
      const { id } = await service.organization({ country });
      await importText(service.store, id, 'designations.ndjson', ndjson({ name: 'Member' }));
      const { columns, values } = await readMapping(join(import.meta.dirname, `../../docs/mappings/${system}.json`));
      const fillEmail = `{external_id}@people.${system}.example.org`;
      const options = { map: columns, optionalColumns: new Set(Object.keys(columns)), valueMap: values, fillEmail };
      const move = (list: readonly Person[]) => {
        const csv = stringify(
          list.map((person, at): object => row(person, at)),
          { header: true, delimiter, bom: true },
        );
        return importText(service.store, id, 'members.csv', csv, options);
      };
      const members = async () =>
        new Map((await exported(service.store, id, 'members')).map((one) => [one.external_id, one]));
      // In each family of five, three have the same address, and one has none.
      const families = people.map((person, at) => {
        const email = [0, 1, 2].includes(at % 5)
          ? `${system}.family${Math.floor(at / 5)}@moves.example.org`
          : person.email;
        return { ...person, email: at % 5 === 3 ? '' : `x${system}.${email}` };
      });
      const empty = await exportText(service.store, id);
      const first = await move(families);
      const filled = (PEOPLE / 5) * 3;
      expect(first).toMatchObject({ created: PEOPLE, rejected: 0, filled_addresses: filled });
      const moved = await members();
      for (const { id: external_id, first, last } of families)
        expect(moved.get(external_id)).toMatchObject({ first_name: first, last_name: last });

      // The newer export has another order, other postal codes, and two people who have married, one with an address.
      const isMoved = (at: number) => at % 7 === 0;
      const [withAddress, without] = [4, 3];
      const newer = families.map((person, at) => ({
        ...person,
        ...(isMoved(at) && { zip: '99999' }),
        ...((at === withAddress || at === without) && { last: 'Wed' }),
      }));
      const before = await exportText(service.store, id);
      const second = await move([...newer.slice(PEOPLE / 2), ...newer.slice(0, PEOPLE / 2)]);
      expect(second).toMatchObject({ created: 0, rejected: 1, renamed_rows: 1 });
      expect(codes(second)).toEqual(['member_exists']);
      const after = await members();
      for (const [at, { id: external_id, zip }] of families.entries()) {
        const { updated_at: _, ...expected } = moved.get(external_id);
        const changes = { zip_code: isMoved(at) ? '99999' : zip, ...(at === withAddress && { last_name: 'Wed' }) };
        expect(after.get(external_id)).toMatchObject({ ...expected, ...changes });
      }
      expect(await undo(service.store, id, second.run_id)).toMatchObject({ complete: true, kept: [] });
      expect(await exportText(service.store, id)).toEqual(before);
      expect(await undo(service.store, id, first.run_id)).toMatchObject({ removed: PEOPLE, kept: [] });
      expect(await exportText(service.store, id)).toEqual(empty);
    },
  );
});
