import { expect, it } from 'vitest';
import { person, times } from '../../support/data.ts';
import { onOneStore } from '../../support/service.ts';
import { exported, importText, ndjson } from '../imports.ts';

onOneStore((service) => {
  const importRecords = async (name: string, content: string | Buffer, settings = {}) => {
    const { id } = await service.organization();
    return importText(service.store, id, name, content, settings);
  };
  const HEADER = 'external_id,name';

  it.each([
    ['empty', '', /is empty; its first line must list the column names/],
    [
      'with a repeated column',
      'name,external_id,name\n',
      /its first line is "name,external_id,name": the columns "name" and "name \(2\)" both match name; choose one with --map 'name=name' or --map 'name \(2\)=name'/,
    ],
    [
      'without a column that matches a field',
      'Shoe,Hat\n1,2\n',
      /has no column that matches a field of tags \(.*\); its first line is "Shoe,Hat"; use --map/,
    ],
    [
      'in Windows-1252',
      Buffer.from([...Buffer.from(`${HEADER}\n1,Caf`), 0xe9, 0x0a]),
      /is not UTF-8 \(line 2\), but possibly Windows-1252/,
    ],
    ['of one line without delimiters', 'x'.repeat(2_200_000), /the row that starts on line 1 is longer than 2 MiB/],
    ['with 1,001 columns', `${HEADER}${','.repeat(999)}\n`, /has 1001 columns, more than 1000; remove those/],
    ['in UTF-16', Buffer.from(`\ufeff${HEADER}\n`, 'utf16le'), /is UTF-16; save it as UTF-8/],
    ['in UTF-16 without a mark', Buffer.from('ID;Straße\n', 'utf16le'), /is UTF-16; .* iconv -f UTF-16LE -t UTF-8/],
  ])('rejects the whole file for CSV that is %s', async (_, content, message) => {
    await expect(importRecords('tags.csv', content)).rejects.toThrow(message);
  });

  it('stops at an unclosed quote, reports its line, and stores the rows before it', async () => {
    const { id } = await service.organization();
    const rows = times(200, (n) => `${n},Tag ${n}`);
    const csv = [HEADER, ...rows, 'x,"open', 'y,After'].join('\n');
    const message = /the row that starts on line 202 has an unclosed quote; rows that were stored before it are kept/;
    await expect(importText(service.store, id, 'tags.csv', csv)).rejects.toThrow(message);
    expect(await exported(service.store, id, 'tags')).toHaveLength(200);
    const corrected = csv.replace('"open', 'Open');
    expect(await importText(service.store, id, 'tags.csv', corrected)).toMatchObject({ created: 2, unchanged: 200 });
  });

  it.each([
    ['with an unclosed quote', `x,"${'y\n'.repeat(1_100_000)}`],
    ['with many cells', `x${',y'.repeat(1_100_000)}`],
  ])('stops at an overlong row %s, reports its line, and stores the rows before it', async (_, row) => {
    const { id } = await service.organization();
    const csv = [HEADER, ...times(200, (n) => `${n},Tag ${n}`), row, 'z,After'].join('\n');
    const message =
      'tags.csv: the row that starts on line 202 is longer than 2 MiB (does it have an unclosed quote?); rows that were stored before it are kept. Correct it and run the import again';
    await expect(importText(service.store, id, 'tags.csv', csv)).rejects.toThrow(message);
    expect(await exported(service.store, id, 'tags')).toHaveLength(200);
  });

  it('rejects a line of NDJSON with more than 1,000 fields', async () => {
    const many = Object.fromEntries(times(1_001, (n) => [`f${n}`, n]));
    const { created, rejectLines } = await importRecords(
      'tags.ndjson',
      ndjson(many, { external_id: '1', name: 'One' }),
    );
    expect([created, rejectLines.map((line) => JSON.parse(line).problem)]).toEqual([
      1,
      ['line 1: has 1001 fields, more than 1000'],
    ]);
  });

  it.each([
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('detects %s as delimiters', async (_, delimiter) => {
    const { id } = await service.organization();
    const csv = [`id${delimiter}name${delimiter}description`, `1${delimiter}"a,b;c\td"${delimiter}"two\r\nlines"`].join(
      '\r\n',
    );
    expect(await importText(service.store, id, 'tags.csv', csv)).toMatchObject({ created: 1 });
    expect(await exported(service.store, id, 'tags')).toMatchObject([
      { name: 'a,b;c\td', description: 'two\r\nlines' },
    ]);
  });

  it('rejects a line that is nested too deeply and stores the lines around it', async () => {
    const deep = `{"external_id":"1","name":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const { created, rejectLines } = await importRecords(
      'tags.ndjson',
      `${deep}\n${ndjson({ external_id: '2', name: 'B' })}`,
    );
    expect(created).toBe(1);
    expect(rejectLines.map((line) => JSON.parse(line).problem)).toEqual(['line 1: is nested deeper than 64 levels']);
  });

  it('rejects rows with NUL, a lone surrogate or a megabyte and stores the rows around them', async () => {
    const long = 'x'.repeat(1_048_576);
    const csv = await importRecords('tags.csv', `${HEADER}\n1,One\n2,T\0wo\n3,${long}\n4,Four\n`);
    expect(csv).toMatchObject({ created: 2, rejected: 2 });
    expect(csv.rejectLines.slice(1).map((line) => line.slice(-90))).toEqual([
      expect.stringContaining('name: must not contain NUL or a lone surrogate'),
      expect.stringContaining('line 4: the row is longer than 1 MiB'),
    ]);
    const lines = [
      '{"external_id":"1","name":"One"}',
      '{"external_id":"2","name":"\\u0000"}',
      '{"external_id":"3","name":"\\ud800"}',
      `{"external_id":"4","name":"${long}"}`,
      '{"external_id":"5","name":"Five"',
      '["external_id"]',
      'null',
      '{"external_id":6,"name":"Six","__proto__":{"slug":"x"},"constructor":1}',
    ];
    const json = await importRecords('tags.ndjson', `\ufeff${lines.join('\r\n')}`);
    expect(json).toMatchObject({ rows: 8, created: 2, rejected: 6 });
    const rejections = json.rejectLines.map((line) => JSON.parse(line));
    expect(rejections.map(({ problem }) => parseInt(problem.slice('line '.length), 10))).toEqual([2, 3, 4, 5, 6, 7]);
    expect(rejections[2]).toMatchObject({
      problem: 'line 4: the line is longer than 1 MiB',
      row: expect.stringMatching(/^.{1000}$/),
    });
    expect(rejections[3].problem).toMatch(/is not valid JSON .*; must be one JSON object per line/);
    expect(rejections[4].problem).toMatch(/must be one JSON object per line \(convert an array with: jq/);
  });

  it.each([
    ['uses the first', { Email: 'email_address' }, 'a'],
    ['uses the second', { Email: '', 'Email (2)': 'email_address' }, 'b'],
  ])('%s of two columns with the same name for %j', async (_, map, used) => {
    const { id } = await service.organization();
    const { email_address } = person();
    const csv = `First Name,Last Name,Email,Email,Note,Note\nAda,Hill,a.${email_address},b.${email_address},x,y\n`;
    const result = await importText(service.store, id, 'members.csv', csv, { map: map as Record<string, string> });
    expect(result).toMatchObject({ created: 1, columns: { Note: null, 'Note (2)': null } });
    expect(await exported(service.store, id, 'members')).toMatchObject([{ email_address: `${used}.${email_address}` }]);
  });

  it('skips blank rows, and reads missing cells as empty; lines are those of the file', async () => {
    const csv = `${HEADER},description\n1,One\n,,\n , ,,\n2\n3,Three,x,y\n`;
    const result = await importRecords('tags.csv', csv);
    expect(result).toMatchObject({ rows: 3, created: 1, rejected: 2 });
    expect(result.rejectLines.slice(1)).toEqual([
      '2,,,line 5: name: required',
      expect.stringMatching(/^3,Three,x,"line 6: the row has 4 cells/),
    ]);
  });

  it('maps and ignores columns as specified by options', async () => {
    const { id } = await service.organization();
    const { email_address } = person();
    const csv = `Vorname,Nachname,Mail,Mobile,Phone\nAda,Hill,${email_address},650-253-0000,650-253-0001\n`;
    const map = { Vorname: 'first_name', nachname: 'last_name', Mobile: '' };
    const result = await importText(service.store, id, 'members.csv', csv, { map });
    expect(result).toMatchObject({
      created: 1,
      columns: { Mobile: null, Phone: 'phone_number', Mail: 'email_address' },
    });
    expect(await exported(service.store, id, 'members')).toMatchObject([
      { first_name: 'Ada', phone_number: '+16502530001' },
    ]);
    await expect(importRecords('members.csv', csv, { map: { Nobody: 'city' } })).rejects.toThrow(
      /has no column "Nobody"; it has Vorname/,
    );
    await expect(importRecords('members.csv', csv, { map: { Mail: 'e-mail' } })).rejects.toThrow(
      /members have no field "e-mail"; the fields are/,
    );
  });

  it('derives the external id from columns for rows without one', async () => {
    const { id } = await service.organization();
    const csv = 'Title,When,Days\nPicnic,2026-06-01,2026-06-01;6/2/2026\nPicnic,2026-07-01,\nPicnic,,\n';
    const settings = { idColumns: ['title', 'When'] };
    const first = await importText(service.store, id, 'events.csv', csv, settings);
    expect(first).toMatchObject({ created: 2, rejected: 1 });
    expect(first.rejectLines[1]).toContain('external_id: required');
    expect(await importText(service.store, id, 'events.csv', csv, settings)).toMatchObject({
      created: 0,
      unchanged: 2,
    });
    expect(await exported(service.store, id, 'events')).toMatchObject([
      {
        external_id: 'Picnic / 2026-06-01',
        dates: [{ date: '2026-06-01' }, { date: '2026-06-02' }],
      },
      { external_id: 'Picnic / 2026-07-01', dates: [] },
    ]);
  });
});
