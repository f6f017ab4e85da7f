import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { person } from '../../support/data.ts';
import { onOneDatabase } from '../../support/service.ts';
import { importText, ndjson } from '../imports.ts';

onOneDatabase((service) => {
  const importRecords = (organizationId: string, name: string, content: string) =>
    importText(service.store, organizationId, name, content);

  it('rejects each invalid row with its line and all reasons, and stores the others', async () => {
    const us = await service.organization();
    const [one, two] = [randomUUID(), randomUUID()];
    const header = 'external_id,first_name,last_name,email_address,phone_number,gender,date_of_birth,tags';
    const csv = [
      header,
      `1,Ada,Hill,ada.${one}@example.org,,,,`,
      '2,,Hill,nobody,abc,male,31/12/2020,',
      `3,Ben,Hill,ada.${one}@example.org,,,,`,
      `4,Cleo,Hill,cleo.${two}@example.org,,,,Unheard Of`,
      '5,Dan,Hill',
      `6,Eve,Hill,eve.${two}@example.org,,,,,surplus`,
      `7,Finn,Hill,finn.${two}@example.org,,Robot,,`,
    ].join('\n');
    const result = await importRecords(us.id, 'members.csv', csv);
    expect(result).toMatchObject({ rows: 7, created: 1, rejected: 6 });
    const rejected = (cells: string, problem: string) => `${cells},"${problem.replaceAll('"', '""')}"`;
    expect(result.rejectLines).toEqual([
      `${header},problem`,
      rejected(
        '2,,Hill,nobody,abc,male,31/12/2020,',
        [
          'line 3: date_of_birth: "31/12/2020" is not a calendar date; use YYYY-MM-DD or MM/DD/YYYY (--date-format changes this)',
          'email_address: must be an email address, for example name@example.org',
          'phone_number: must be a phone number, best with a plus and a country code, for example +12025550100, not "abc"',
          'first_name: required',
        ].join('; '),
      ),
      expect.stringMatching(/^3,Ben,Hill,ada\..*,"?line 4: email_address: is also the address on line 2; /),
      rejected(
        `4,Cleo,Hill,cleo.${two}@example.org,,,,Unheard Of`,
        'line 5: tags: unknown tag: "Unheard Of"; import it first',
      ),
      '5,Dan,Hill,,,,,,line 6: email_address: required',
      `6,Eve,Hill,eve.${two}@example.org,,,,,"line 7: the row has 9 cells, the header 8: is a delimiter or quote missing? (surplus)"`,
      `7,Finn,Hill,finn.${two}@example.org,,Robot,,,"line 8: gender: must be one of Male, Female, Others"`,
    ]);
    expect(result.rejected_rows[1]?.problems.map(({ code }) => code)).toEqual(['member_exists']);
    expect(result.reasons).toContainEqual({
      field: 'first_name',
      code: 'invalid_request',
      message: 'required',
      rows: 1,
    });
  });

  it('imports its corrected rejects file', async () => {
    const us = await service.organization();
    const { email_address } = person();
    const csv = `external_id,first_name,last_name,email_address\n1,Ada,Hill,${email_address.replace('@', ' ')}\n`;
    const { rejectLines } = await importRecords(us.id, 'members.csv', csv);
    const corrected = rejectLines.join('\n').replaceAll(email_address.replace('@', ' '), email_address);
    const result = await importRecords(us.id, 'members.rejects.csv', `${corrected}\n`);
    expect(result).toMatchObject({ created: 1, rejected: 0 });
    expect(Object.keys(result.columns)).toEqual(['external_id', 'first_name', 'last_name', 'email_address']);

    const json = await importRecords(us.id, 'members.ndjson', '{"external_id":"2","first_name":"Ben"}\n{"broken\n');
    expect(json.rejectLines.map((line) => JSON.parse(line))).toEqual([
      {
        external_id: '2',
        first_name: 'Ben',
        problem: 'line 1: last_name: required; email_address: required',
      },
      { row: '{"broken', problem: expect.stringMatching(/^line 2: is not valid JSON/) },
    ]);
    const fixed = { ...JSON.parse(json.rejectLines[0] as string), ...person() };
    expect(await importRecords(us.id, 'members.rejects.ndjson', ndjson(fixed))).toMatchObject({
      created: 1,
      rejected: 0,
    });
  });
});
