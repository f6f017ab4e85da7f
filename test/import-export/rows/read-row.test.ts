import { expect, it } from 'vitest';
import type { SourceFile } from '../../../src/import-export/files/file.ts';
import { resourceOf } from '../../../src/import-export/resources/registry.ts';
import { createRowReader, type ReadOptions } from '../../../src/import-export/rows/read-row.ts';

/** A reader of the rows of members with this header, without a database. */
function readerOf(header: readonly string[] | undefined, options: Partial<ReadOptions> = {}) {
  const file = { path: 'members.csv', beginning: `${(header ?? []).join(';')}\n` } as SourceFile;
  const reader = createRowReader(file, header ? { columns: header, header } : {}, {
    resource: resourceOf('members'),
    map: new Map(),
    idColumns: [],
    dateOrder: 'DMY',
    organization: { country: 'DE', timeZone: 'UTC' },
    ...options,
  });
  const row = { line: 2, endOffset: 1 };
  return {
    ...reader,
    cells: (...csvCells: string[]) =>
      reader.parse({ ...row, csvCells, values: Object.fromEntries((header ?? []).map((n, at) => [n, csvCells[at]])) }),
    json: (values: Record<string, unknown>) => reader.parse({ ...row, values }),
  };
}

it('reports cells that cannot be read, invalid values and missing fields at once', () => {
  const { cells } = readerOf(['Vorname', 'Geburtsdatum', 'Handy', 'E-Mail', 'Ort']);
  const { errors, missing, input } = cells('JÃ¶rg', '31/02/1990', '491622897306', 'nobody', 'Köln');
  expect(errors?.map(({ field }) => field)).toEqual(['first_name', 'date_of_birth', 'email_address', 'phone_number']);
  expect(missing).toEqual([{ field: 'last_name', message: 'required' }]);
  expect(input).toEqual({ city: 'Köln' });
});

it.each([
  ['JÃ¶rg', 'Jörg'],
  ['GroÃŸ', 'Groß'],
  ['Sofía MuÃ±oz', undefined],
  ['â€œHallâ€\u009d', '“Hall”'],
  ['Ð˜Ð²Ð°Ð½', 'Иван'],
])('refuses %s if it was decoded twice', (city, meant) => {
  const { errors } = readerOf(['Ort']).cells(city);
  if (meant === undefined) expect(errors).toBeUndefined();
  else {
    const word = JSON.stringify(city.trim().split(' ')[0]);
    const message = `${word} should probably be ${JSON.stringify(meant)}, as in a UTF-8 file read in another encoding; open the original file as UTF-8, or export it again`;
    expect(errors).toEqual([{ field: 'city', message }]);
  }
});

it('refuses text with a replacement character, in values of NDJSON too', () => {
  const message =
    '"Ka\ufffdel" has a character that was lost (\ufffd); open the original file as UTF-8, or export it again';
  expect(readerOf(['tags']).cells('choir; Ka\ufffdel').errors).toEqual([{ field: 'tags', message }]);
  expect(readerOf(undefined).json({ tags: ['choir', 'Ka\ufffdel'] }).errors).toEqual([{ field: 'tags', message }]);
});

it.each([
  '«CAFÉ»',
  'Ångström',
  'Œuvre',
  '山田',
  '🙂',
  'Ã',
  'São Tomé à Paris',
  'Groß–Gerau',
  'JOSÉ’S HOUSE',
  'PAVÉ\u00a0',
])('accepts %s', (city) => {
  expect(readerOf(['Ort']).cells(city).input).toEqual({ city: city.trim() });
});

it.each(['(NULL)', '\\N', '#N/A', ' - ', '—'])(
  'reads %s as empty in all fields, and counts it, but not in NDJSON',
  (text) => {
    const header = ['ID', 'Vorname', 'Nachname', 'E-Mail', 'Ort', 'Tags', 'Geburtsdatum'];
    expect(readerOf(header).cells(...header.map(() => text))).toEqual({
      input: {},
      missing: ['first_name', 'last_name', 'email_address'].map((field) => ({ field, message: 'required' })),
      cells: { null_cells: 7, unwrapped_cells: 0, short_zip_codes: 0 },
    });
    expect(readerOf(undefined).json({ city: text })).toMatchObject({ input: { city: text.trim() } });
  },
);

it.each(['NULL', 'Null', 'N/A', 'n.a.'])('keeps %s as a name, but not in optional fields', (text) => {
  const row = readerOf(['Vorname', 'Nachname', 'Ort']).cells(text, text, text);
  expect(row).toMatchObject({ input: { first_name: text, last_name: text }, cells: { null_cells: 1 } });
  expect(row.input).not.toHaveProperty('city');
});

it('divides a list at commas, semicolons, bars and line breaks, and keeps its text', () => {
  const cell = 'Choir, Youth;Ushers |A\r\nB,,';
  expect(readerOf(['Tags']).cells(cell)).toMatchObject({
    input: { tags: ['Choir', 'Youth', 'Ushers', 'A', 'B'] },
    listCells: { tags: cell },
  });
  const json = readerOf(['Tags']).cells('["Choir, Youth"]');
  expect(json.input).toEqual({ tags: ['Choir, Youth'] });
  expect(json).not.toHaveProperty('listCells');
});

it.each([
  ['Vorname;Nachname;E-Mail;Handy;Geschlecht;Familienstand;Geburtsdatum;Straße;Ort;Bundesland;PLZ;Land', 'weiblich'],
  [
    'Nombre;Apellidos;Correo electrónico;Móvil;Sexo;Estado civil;Fecha de nacimiento;Dirección;Ciudad;Provincia;Código postal;País',
    'Femenino',
  ],
  ['Prénom;Nom;Courriel;Portable;Sexe;État civil;Date de naissance;Adresse;Ville;Région;Code postal;Pays', 'femme'],
  ['Nome;Sobrenome;E-mail;Celular;Gênero;Estado civil;Data de nascimento;Endereço;Cidade;Estado;CEP;País', 'FEMININO'],
  ['Forename;Surname;Email;Mobile;Sex;Marital state;Date of birth;Street;Town;County;Postcode;Country', 'female'],
])('knows the columns %s', (header, gender) => {
  const row = `Eva;Groß;e@example.org;+12025550101;${gender};x;1.2.1990;Weg 1;Bonn;B;1;D`;
  const { input = {} } = readerOf(header.split(';')).cells(...row.split(';'));
  expect(Object.keys(input).join(';')).toBe(
    'first_name;last_name;email_address;phone_number;gender;marital_status;date_of_birth;address;city;state;zip_code;country',
  );
  expect(input).toMatchObject({ gender: 'Female', date_of_birth: '1990-02-01', country: 'D' });
});

it.each([
  ['männlich', 'Male'],
  ['Mujer', 'Female'],
  ['w', 'Female'],
  ['divers', 'Others'],
])('reads the gender %s as %s', (text, gender) => {
  expect(readerOf(['gender']).cells(text).input).toEqual({ gender });
});

it('does not guess what H is, because M can then mean mujer', () => {
  expect(readerOf(['gender']).cells('H').errors).toHaveLength(1);
});

it.each([
  ['ja', true],
  ['Sí', true],
  ['nein', false],
  ['não', false],
])('reads the boolean %s as %s', (text, value) => {
  expect(readerOf(['Gast']).cells(text).input).toEqual({ is_guest: value });
});

it('replaces texts by the value map before it reads them, whatever the letter case and white space', () => {
  const valueMap = {
    gender: { H: 'Male', M: 'Female', '?': '' },
    tags: { Chor: 'Choir, Youth' },
    city: { 'N/A': 'Köln' },
  };
  const { cells } = readerOf(['gender', 'tags', 'city'], { valueMap });
  expect(cells(' m ', 'CHOR', 'n/a')).toMatchObject({
    input: { gender: 'Female', tags: ['Choir', 'Youth'], city: 'Köln' },
  });
  expect(cells('?', '', '')).not.toMatchObject({ input: { gender: expect.anything() } });
  expect(readerOf(undefined, { valueMap }).json({ gender: 'h' }).input).toEqual({ gender: 'Male' });
});

it('accepts a mapping with optional columns that the file lacks', () => {
  const map = new Map([
    ['Notiz', ''],
    ['Stadtteil', 'city'],
  ]);
  expect(readerOf(['Ort'], { map: new Map([['Notiz', '']]), optionalColumns: new Set(['Notiz']) }).columns()).toEqual({
    Ort: 'city',
  });
  expect(() => readerOf(['Vorname'], { map, optionalColumns: new Set(['Notiz']) })).toThrow(
    /has no column "Stadtteil"/,
  );
});

it('names the options for several columns of one field', () => {
  expect(() => readerOf(['Telefon', 'Handy', 'Ort', 'Stadt'])).toThrow(
    `the columns "Telefon" and "Handy" both match phone_number; choose one with --map 'Telefon=phone_number' or --map 'Handy=phone_number'; the columns "Ort" and "Stadt" both match city; choose one with --map 'Ort=city' or --map 'Stadt=city'`,
  );
});

it.each([
  [{ 'E-Mail': 'email_address' }, 'a@example.org'],
  [{ Email: 'email_address' }, 'b@example.org'],
  [{ 'E-Mail': '' }, 'b@example.org'],
  [{ 'E-Mail': 'email_address', Email: '' }, 'a@example.org'],
])('chooses one of two columns whose names differ only in punctuation with %j', (map, email) => {
  const reader = readerOf(['E-Mail', 'Email'], { map: new Map(Object.entries(map) as [string, string][]) });
  expect(reader.cells('a@example.org', 'b@example.org').input).toEqual({ email_address: email });
  expect(Object.values(reader.columns())).toContain(null);
});

it('maps each item of a list, and skips those that mean that there is none', () => {
  const { cells } = readerOf(['Tags'], { valueMap: { tags: { Kinder: 'Kids', Alt: '' } } });
  expect(cells('kinder; Choir').input).toEqual({ tags: ['Kids', 'Choir'] });
  expect(cells('Choir, NULL').input).toEqual({ tags: ['Choir'] });
  expect(cells('Choir; -;Alt')).toMatchObject({ input: { tags: ['Choir'] }, listCells: { tags: 'Choir;;' } });
  expect(cells('["Choir, NULL", "Kinder"]').input).toEqual({ tags: ['Choir, NULL', 'Kinder'] });
  expect(cells('-, NULL').input).toEqual({});
});
