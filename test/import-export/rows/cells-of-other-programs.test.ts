import { describe, expect, it } from 'vitest';
import type { SourceFile } from '../../../src/import-export/files/file.ts';
import { resourceOf } from '../../../src/import-export/resources/registry.ts';
import { createRowReader, type ReadOptions } from '../../../src/import-export/rows/read-row.ts';

/** Reads one row of members of an organization in the US, without a database. */
function read(cells: Readonly<Record<string, string>>, options: Partial<ReadOptions> = {}) {
  const columns = Object.keys(cells);
  const file = {
    path: 'members.csv',
    beginning: `${columns.join(',')}\n`,
  } as SourceFile;
  const reader = createRowReader(
    file,
    { columns, header: columns },
    {
      resource: resourceOf('members'),
      map: new Map(),
      idColumns: [],
      dateOrder: 'MDY',
      organization: { country: 'US', timeZone: 'UTC' },
      ...options,
    },
  );
  return {
    ...reader.parse({
      line: 2,
      endOffset: 1,
      csvCells: Object.values(cells),
      values: cells,
    }),
    similar: reader.similarColumns(),
    columns: reader.columns(),
  };
}

describe('a birthday', () => {
  it.each(['/  /', '00/00/0000', '0000-00-00', '1900-01-00', '0000-00-00 00:00:00'])(
    'is empty, and counted, if it is %j',
    (birthday) => {
      const { input, errors, cells } = read({ birthday, city: 'Bath' });
      expect({ input, errors }).toEqual({
        input: { city: 'Bath' },
        errors: undefined,
      });
      expect(cells).toMatchObject({ null_cells: 1 });
    },
  );

  it.each(['3/17/1885', '1885-03-17', '03/17/1885 00:00:00', '13/13/1885'])(
    'is empty, and counted, if the year of %j means none in the mapping file',
    (birthday) => {
      const { input, errors, cells } = read({ birthday, city: 'Bath' }, { valueMap: { date_of_birth: { 1885: '' } } });
      expect({ input, errors }).toEqual({
        input: { city: 'Bath' },
        errors: undefined,
      });
      expect(cells).toMatchObject({ null_cells: 1 });
      expect(read({ birthday: '3/17/1885' }).input).toEqual({
        date_of_birth: '1885-03-17',
      });
    },
  );

  it.each(['24.12.', '24.12', '--12-24', '0000-12-24', '24.12.0000', '1955', ' 1955 '])(
    'is empty, and counted, if it lacks the day or the year as in %j, and the mapping file leaves out such dates',
    (birthday) => {
      const valueMap = { date_of_birth: { incomplete: '' } };
      const { input, errors, cells } = read({ birthday, city: 'Bath' }, { valueMap });
      expect({ input, errors }).toEqual({ input: { city: 'Bath' }, errors: undefined });
      expect(cells).toMatchObject({ null_cells: 1 });
      expect(read({ birthday, city: 'Bath' }).errors).toMatchObject([{ field: 'date_of_birth' }]);
      expect(read({ birthday: '1955-12-24' }, { valueMap }).input).toEqual({ date_of_birth: '1955-12-24' });
      expect(read({ birthday: '24.12.55' }, { valueMap }).errors).toMatchObject([{ field: 'date_of_birth' }]);
    },
  );

  it('of 1985 or of the 18th at 18:85 is none of 1885', () => {
    const options = { valueMap: { date_of_birth: { 1885: '' } } };
    expect(read({ birthday: '1/8/1985' }, options).input).toEqual({
      date_of_birth: '1985-01-08',
    });
  });
});

describe('a birthday in three columns', () => {
  const map = new Map(['day', 'month', 'year'].map((part) => [part.toUpperCase(), `date_of_birth.${part}`]));
  const readParts = (DAY: string, MONTH: string, YEAR: string, options = {}) =>
    read({ DAY, MONTH, YEAR, city: 'Bath' }, { map, ...options });

  it.each([
    ['24', '12', '1984', '1984-12-24'],
    ['7', '3', '1984', '1984-03-07'],
    ['="07"', ' 03', '1984 ', '1984-03-07'],
    ['', '', '', undefined],
    ['00', '00', '0000', undefined],
    ['0', '0', '0', undefined],
  ])('is joined: %j, %j and %j', (day, month, year, date_of_birth) => {
    const { input, errors } = readParts(day, month, year);
    expect({ errors, input }).toEqual({
      errors: undefined,
      input: { city: 'Bath', ...(date_of_birth && { date_of_birth }) },
    });
  });

  it.each([
    ['31', '2', '1984', /"1984-02-31" is not a calendar date/],
    ['24', '12', '', /"\?\?\?\?-12-24" has no year/],
    ['24', '12', '0', /"\?\?\?\?-12-24" has no year/],
    ['', '', '1955', /"1955-\?\?-\?\?" is not a date/],
    ['', '3', '1955', /"1955-03-\?\?" is not a date/],
    ['5', '', '1955', /"1955-\?\?-05" is not a date/],
    ['24', 'March', '1955', /"1955-March-24" is not a date/],
  ])('is refused if it is no date: %j, %j and %j', (day, month, year, message) => {
    const field = 'date_of_birth';
    expect(readParts(day, month, year).errors).toEqual([{ field, message: expect.stringMatching(message) }]);
  });

  it('can be left out if it lacks the day or the year', () => {
    const options = { valueMap: { date_of_birth: { incomplete: '', 1004: '' } } };
    const incomplete = ['24/12/', '24/12/0', '24/12/0000', '//1955', '0/0/1955', '/3/1955', '24//1955', '/3/', '24//'];
    for (const [day, month, year] of [...incomplete, '24/12/1004'].map((text) => text.split('/'))) {
      const { input, cells } = readParts(day as string, month as string, year as string, options);
      expect({ input, cells }).toMatchObject({ input: { city: 'Bath' }, cells: { null_cells: 1 } });
    }
  });

  it('is used where a column with the whole date is empty', () => {
    const row = (birthday: string) => read({ DAY: '24', MONTH: '12', YEAR: '1984', birthday }, { map }).input;
    expect(row('')).toEqual({ date_of_birth: '1984-12-24' });
    expect(row('3/17/1990')).toEqual({ date_of_birth: '1990-03-17' });
  });

  it('is the only field with parts', () => {
    for (const field of ['date_of_birth.hour', 'city.day'])
      expect(() => read({ X: '1', city: 'Bath' }, { map: new Map([['X', field]]) })).toThrow(`no field "${field}"`);
  });
});

describe('a cell that a program wrote as a formula', () => {
  it.each([
    ['="00123"', '00123'],
    [' ="02134" ', '02134'],
    ['="1,234"', '1,234'],
    ['="a""b"', 'a"b'],
    ['="=1+1"', '=1+1'],
    ['=1+1', '=1+1'],
    ['="a"&"b"', '="a"&"b"'],
  ])('%s is read as %s', (city, text) => {
    const { input, cells } = read({ city });
    expect(input).toEqual({ city: text });
    expect(cells?.unwrapped_cells ?? 0).toBe(city === text ? 0 : 1);
  });

  it('is empty if it contains nothing, and is unwrapped in composed ids and before values are mapped', () => {
    expect(read({ city: '=""', state: 'MA' }).input).toEqual({ state: 'MA' });
    expect(read({ city: '="Bath"', No: '="007"' }, { idColumns: ['No', 'city'] }).input).toEqual({
      city: 'Bath',
      external_id: '007 / Bath',
    });
    expect(read({ gender: '="W"' }, { valueMap: { gender: { w: 'Female' } } }).input).toEqual({ gender: 'Female' });
  });
});

describe('text with HTML entities', () => {
  it.each([
    ['O&#39;Neal', "O'Neal"],
    ['O&#x2019;Neal', 'O’Neal'],
    ['O&#146;Neal', 'O’Neal'],
    ['Andr&eacute;', 'André'],
    ['Fran&ccedil;ois Stra&szlig;e', 'François Straße'],
    ['&Scaron;koda', 'Škoda'],
    ['Tom &amp; Ann', 'Tom & Ann'],
    ['O&amp;#39;Neal', "O'Neal"],
  ])('%s is rejected with the probable text', (city, meant) => {
    const message = `${JSON.stringify(city)} should probably be ${JSON.stringify(meant)}, without HTML entities`;
    expect(read({ city }).errors).toEqual([{ field: 'city', message }]);
  });

  it.each(['R&D', 'AT&T; x', 'Tom & Ann; Otto', 'a&b;', '&bacute;', '&#xd800;', '<p>Tom &amp; Ann</p>'])(
    '%s is accepted',
    (city) => {
      expect(read({ city })).toMatchObject({ input: { city } });
    },
  );
});

it.each(['1.62E+09', '1,62289E+12', '1E+10'])('rejects the id %s, because a spreadsheet program shortened it', (id) => {
  const message = `${JSON.stringify(id)} was shortened by a spreadsheet program; export the file again`;
  expect(read({ id }).errors).toEqual([{ field: 'external_id', message }]);
});

it('counts US zip codes that have lost their leading zero', () => {
  const count = (zip: string, country?: string, organization = 'US') =>
    read(
      { zip, ...(country !== undefined && { country }) },
      { organization: { country: organization, timeZone: 'UTC' } },
    ).cells?.short_zip_codes ?? 0;
  expect(['2134', '501', '2134-1234', '="2134"'].map((zip) => count(zip))).toEqual([1, 1, 1, 1]);
  expect(['02134', '2134 AB', '21', '', '="02134"'].map((zip) => count(zip))).toEqual([0, 0, 0, 0, 0]);
  expect(['', 'US', 'usa', 'United States', 'AU'].map((country) => count('2134', country))).toEqual([1, 1, 1, 1, 0]);
  expect(['', 'US', 'AU'].map((country) => count('2134', country, 'AU'))).toEqual([0, 1, 0]);
});

describe('columns', () => {
  it('of a home address have the fields of an address', () => {
    const elvanto = {
      'Home Address': '1 St',
      'Home City': 'A',
      'Home State': 'B',
      'Home Postcode': '1',
      'Home Country': 'AU',
    };
    expect(read(elvanto).input).toEqual({
      address: '1 St',
      city: 'A',
      state: 'B',
      zip_code: '1',
      country: 'AU',
    });
  });

  it('of a home address are ignored if other columns have these fields', () => {
    const { input, columns } = read(
      { City: 'A', 'Home City': 'B', 'Home Zip': '1', Town: '' },
      { map: new Map([['Town', '']]) },
    );
    expect(input).toEqual({ city: 'A', zip_code: '1' });
    expect(columns['Home City']).toBeNull();
  });

  it('that are ignored although they look like a field are named with it, unless an option ignores them', () => {
    const { similar } = read(
      {
        'First Name': '',
        'Work Email': '',
        'E-Mail 2': '',
        Wohnadresse: '',
        'Work Address City': '',
        'Home Phone Number': '',
        'Person ID': '',
        'Shoe size': '',
        'First Visit': '',
        Notes: '',
        'Birth place': '',
      },
      { map: new Map([['Home Phone Number', '']]) },
    );
    expect(similar).toEqual({
      'Work Email': 'email_address',
      'E-Mail 2': 'email_address',
      Wohnadresse: 'address',
      'Work Address City': 'city',
      'Person ID': 'external_id',
    });
    expect(read({ ID: '1', 'Family ID': '' }).similar).toEqual({});
  });
});
