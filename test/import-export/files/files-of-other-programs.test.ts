import { expect, it } from 'vitest';
import { person } from '../../support/data.ts';
import { onOneDatabase } from '../../support/service.ts';
import { exported, exportText, importText, ndjson } from '../imports.ts';

const TITLES = 'Members of St. Mary\r\n\r\n"Exported, 2026",,\r\n';

onOneDatabase((service) => {
  const importNew = async (name: string, content: string, settings = {}) => {
    const { id } = await service.organization();
    const result = await importText(service.store, id, name, content, settings);
    return {
      id,
      result,
      cities: (await exported(service.store, id, 'members')).map(({ city }) => city),
    };
  };
  /** A file of one member in this city. */
  const memberFile = (delimiter: string, city: string) => {
    const { email_address } = person();
    const rows = [
      ['First Name', 'Last Name', 'Email', 'City'],
      ['Ada', 'Hill', email_address, city],
    ];
    return rows.map((row) => `${row.join(delimiter)}\r\n`).join('');
  };

  it.each([
    ['sep=;', ';'],
    ['\ufeffsep=;', ';'],
    ['"sep=;"', ';'],
    ['SEP=,', ','],
    ['sep=\t', '\t'],
    ['sep=\\t', '\t'],
    ['sep=|', '|'],
  ])('reads the separator of the line %j', async (line, delimiter) => {
    const city = delimiter === '|' ? 'a, b; c' : 'Bath';
    const { cities, result } = await importNew('members.csv', `${line}\r\n${memberFile(delimiter, city)}`);
    expect(result).toMatchObject({
      rows: 1,
      created: 1,
      columns: { City: 'city' },
    });
    expect(cities).toEqual([city]);
  });

  it('writes rejected rows with a separator that is detected', async () => {
    const { result, id } = await importNew('members.csv', 'sep=|\nFirst Name|Last Name|Email\nAda|Hill|\n');
    expect(result.rejectLines[0]).toBe('First Name,Last Name,Email,problem');
    const corrected = `First Name,Last Name,Email,problem\nAda,Hill,${person().email_address},line 3: Email: required\n`;
    expect(await importText(service.store, id, 'members.rejects.csv', corrected)).toMatchObject({ created: 1 });
  });

  it.each(['\x1a', '\x1a\r\n', '\x1a\x1a\x1a\n'])('ignores %j at the end', async (end) => {
    const csv = memberFile(',', 'Bath');
    expect(await importNew('members.csv', csv + end)).toMatchObject({
      result: { rows: 1 },
      cities: ['Bath'],
    });
    const withoutLineEnd = memberFile(',', 'Bath').trimEnd();
    expect(await importNew('members.csv', withoutLineEnd + end)).toMatchObject({ cities: ['Bath'] });
    const json = ndjson({ ...person(), city: 'Bath' });
    expect(await importNew('members.ndjson', json + end)).toMatchObject({
      result: { rows: 1 },
      cities: ['Bath'],
    });
  });

  it.each([
    ['Members\n', ',', 'line 2; remove line 1 above them'],
    [TITLES, ',', 'line 4; remove lines 1 to 3 above them'],
    [TITLES, ';', 'line 4; remove lines 1 to 3 above them'],
    ['\ufeffGroups;;;\r\n', ';', 'line 2; remove line 1 above them'],
  ])('names the lines to remove if there are titles (%j) above the header', async (titles, delimiter, message) => {
    const file = titles + memberFile(delimiter, 'Bath');
    await expect(importNew('members.csv', file)).rejects.toThrow(`has its column names on ${message}`);
    await expect(importNew('members.csv', file, { map: { City: '' } })).rejects.toThrow(message);
  });

  it('accepts a value that is the name of a column, and a header that is repeated', async () => {
    const { result } = await importNew('tags.csv', 'Name\nTag\nSlug\nColor\n');
    expect(result).toMatchObject({ created: 3 });
    const file = memberFile(',', 'Bath');
    expect(await importNew('members.csv', file + file)).toMatchObject({
      cities: ['Bath'],
    });
  });

  it.each([
    ['="1,234"', '1,234'],
    ['"=""1,234"""', '1,234'],
    ['="a,b,c"', 'a,b,c'],
    ['="02134"', '02134'],
  ])('reads the cell %s as %s', async (cell, city) => {
    const { cities, result } = await importNew('members.csv', memberFile(',', cell));
    expect(cities).toEqual([city]);
    expect(result).toMatchObject({ unwrapped_cells: 1 });
  });

  it('rejects a row with an incomplete formula and too many cells as it is', async () => {
    const { result } = await importNew('members.csv', memberFile(',', '="1,2'));
    expect(result.rejectLines[1]).toContain('the row has 5 cells');
  });

  it('exports text that looks like such a cell so that it is imported unchanged', async () => {
    const values = {
      ...person(),
      city: '="Bath"',
      address: '=1+1',
      external_id: '1',
    };
    const { id } = await importNew('members.ndjson', ndjson(values));
    const csv = (await exportText(service.store, id, 'csv', ['members']))['members.csv'] as string;
    expect(await importText(service.store, id, 'members.csv', csv)).toMatchObject({ unchanged: 1 });
  });

  it('counts cells in all rows, in a dry run as in an import', async () => {
    const { id } = await service.organization({ country: 'US' });
    const rows = Array.from(
      { length: 200 },
      (_, at) => `Ada,Hill,${person().email_address},00/00/0000,${2000 + at},="${at}"`,
    );
    const csv = `First Name,Last Name,Email,Birthday,Zip,State\n${rows.join('\n')}\n`;
    const counts = {
      created: 200,
      null_cells: 200,
      unwrapped_cells: 200,
      short_zip_codes: 200,
    };
    expect(await importText(service.store, id, 'members.csv', csv, { dryRun: true })).toMatchObject(counts);
    expect(await importText(service.store, id, 'members.csv', csv)).toMatchObject(counts);
  });
});
