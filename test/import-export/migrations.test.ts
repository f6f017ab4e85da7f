import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { readMapping } from '../../src/cli/commands/import.ts';
import { foldName } from '../../src/domain/values/column-names.ts';
import { onOneDatabase } from '../support/service.ts';
import { exported, importText, ndjson } from './imports.ts';

const TAGS = 'Name\nChoir\nYouth\n"Welcome, Café"\nPrayer\n';

/** The systems whose exports `migrations/` contains, with the columns that the church added. */
const SYSTEMS = [
  {
    system: 'planning-center',
    country: 'US',
    delimiter: ',',
    customColumns: { 'Involvement :: Teams': 'tags' },
    designations: ['Member', 'Regular Attender', 'Visitor'],
  },
  {
    system: 'breeze',
    country: 'US',
    delimiter: ',',
    customColumns: {},
    designations: ['Member', 'Regular Attender', 'Visitor'],
  },
  {
    system: 'churchtools',
    country: 'DE',
    delimiter: ';',
    customColumns: {},
    designations: ['Mitglied', 'Freund', 'Besucher'],
  },
];

describe.each(SYSTEMS)(
  'a church that leaves $system',
  ({ system, country, delimiter, customColumns, designations }) => {
    const readFixture = (extension: string) =>
      readFile(join(import.meta.dirname, 'migrations', `${system}.${extension}`), 'utf8');
    const readMappingFile = () => readMapping(join(import.meta.dirname, `../../docs/mappings/${system}.json`));
    const parseRows = (text: string): Record<string, string>[] =>
      parse(text, { bom: true, columns: true, delimiter, relax_column_count: true });

    it('has a mapping file that names every column of the export', async () => {
      const { columns } = await readMappingFile();
      const named = new Set([...Object.keys(columns), ...Object.keys(customColumns)].map(foldName));
      const [row = {}] = parseRows(await readFixture('csv'));
      expect(Object.keys(row).filter((column) => column !== '' && !named.has(foldName(column)))).toEqual([]);
    });

    onOneDatabase((service) => {
      it('moves in everybody who has an address, and rejects everybody else with the reasons', async () => {
        const { store } = service;
        const { id } = await service.organization({ country });
        await importText(store, id, 'designations.ndjson', ndjson(...designations.map((name) => ({ name }))));
        await importText(store, id, 'tags.csv', TAGS);
        const { columns, values } = await readMappingFile();
        const map = { ...columns, ...customColumns };
        const members = await readFixture('csv');
        const importMembers = (dryRun: boolean) => {
          const settings = { map, optionalColumns: new Set(Object.keys(columns)), valueMap: values, dryRun };
          return importText(store, id, 'members.csv', members, settings);
        };
        const dryRun = await importMembers(true);
        const first = await importMembers(false);
        const again = await importMembers(false);

        const lines = (await readFixture('ndjson'))
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line));
        const expected = lines.filter((line) => line.rejected === undefined);
        const stored = await exported(store, id, 'members');
        expect(stored).toHaveLength(expected.length);
        for (const { tags, ...member } of expected) {
          const found = stored.find((other) => other.external_id === member.external_id);
          expect({ ...found, tags: undefined }).toMatchObject(member);
          expect(found.tags.toSorted()).toEqual(tags);
        }
        const rejections = lines.filter((line) => line.rejected !== undefined);
        const unchanged = parseRows(members).filter((row) => Object.values(row).some(Boolean)).length - lines.length;
        expect(first).toMatchObject({ created: expected.length, updated: 0, unchanged, rejected: rejections.length });
        for (const [at, row] of parseRows(`${first.rejectLines.join('\n')}\n`).entries()) {
          expect(Object.values(row)[0]).toBe(rejections[at].rejected);
          for (const reason of rejections[at].reasons) expect(row.problem).toContain(reason);
        }
        const { created, rejectLines } = first;
        expect(dryRun).toMatchObject({ created, updated: 0, unchanged, rejectLines });
        expect(again).toMatchObject({ created: 0, updated: 0, unchanged: unchanged + created, rejectLines });
      });
    });
  },
);
