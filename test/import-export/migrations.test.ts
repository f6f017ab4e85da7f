import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { readMapping } from '../../src/cli/mapping-file.ts';
import { foldName } from '../../src/domain/values/column-names.ts';
import { onOneDatabase } from '../support/service.ts';
import { exported, importText, type TestImport } from './imports.ts';
import { BREEZE } from './migrations/breeze.ts';
import { type ChurchExport, type ExportedSystem, exportChurch } from './migrations/church-export.ts';
import { CHURCHTOOLS } from './migrations/churchtools.ts';
import { PLANNING_CENTER } from './migrations/planning-center.ts';

const PEOPLE = 150;
const MAPPINGS = join(import.meta.dirname, '../../docs/mappings');

const SYSTEMS = [PLANNING_CENTER, BREEZE, CHURCHTOOLS];

it.each(SYSTEMS)('the mapping file of $name names every column that the system exports', async (system) => {
  const { columns } = await readMapping(join(MAPPINGS, `${system.name}.json`));
  const named = new Set([...columns.keys(), ...Object.keys(system.customColumns)].map(foldName));
  expect(system.header.split(';').filter((column) => !named.has(foldName(column)))).toEqual([]);
});

onOneDatabase((service) => {
  describe.each(SYSTEMS)('a church that leaves $name', (system) => {
    const church = exportChurch(system, PEOPLE);

    /** Imports the members with the mapping file that ships, and the columns that the church added. */
    const importMembers = async (organizationId: string, { dryRun = false } = {}) => {
      const mapping = await readMapping(join(MAPPINGS, `${system.name}.json`));
      const map = Object.fromEntries([...mapping.columns, ...Object.entries(system.customColumns)]);
      const settings = { map, optionalColumns: new Set(mapping.columns.keys()), valueMap: mapping.values, dryRun };
      return importText(service.store, organizationId, 'members.csv', church.members, settings);
    };

    it('moves in everybody who has an address, with the own values, and rejects everybody else with the reasons', async () => {
      const { id } = await service.organization({ country: system.country });
      for (const resource of ['designations', 'tags'] as const) {
        expect(await importText(service.store, id, `${resource}.csv`, church[resource])).toMatchObject({ rejected: 0 });
      }
      const dryRun = await importMembers(id, { dryRun: true });
      const result = await importMembers(id);
      const members = expectedMembers(system, church);
      const unchanged = church.rows.filter(({ expected }) => expected === 'unchanged').length;
      expect(result).toMatchObject({ created: members.length, updated: 0, unchanged });
      expect(await storedMembers(service.store, id, members)).toEqual(members);
      expect(unexpectedRejections(system, church, result)).toEqual([]);
      expect(dryRun.rejectLines).toEqual(result.rejectLines);
      expect(countsOf(dryRun)).toEqual(countsOf(result));

      const again = await importMembers(id);
      expect(again).toMatchObject({ created: 0, updated: 0, unchanged: members.length + unchanged });
      expect(unexpectedRejections(system, church, again)).toEqual([]);
    });
  });
});

/** The members that must be stored, by external id. */
function expectedMembers(system: ExportedSystem, { rows }: ChurchExport): Record<string, unknown>[] {
  const members = rows.filter(({ expected }) => expected === 'member').map(({ person }) => system.memberOf(person));
  return members.map((member) => ({ ...member, tags: [...(member.tags as string[])].sort() })).sort(byExternalId);
}

/** All stored members with the fields of the expected ones. */
async function storedMembers(
  store: Parameters<typeof exported>[0],
  organizationId: string,
  [example = {}]: readonly Record<string, unknown>[],
): Promise<Record<string, unknown>[]> {
  const members = await exported(store, organizationId, 'members');
  const fields = Object.keys(example);
  return members
    .map((member) => ({ ...member, tags: [...member.tags].sort() }))
    .map((member) => Object.fromEntries(fields.map((field) => [field, member[field] ?? null])))
    .sort(byExternalId);
}

function byExternalId(a: Record<string, unknown>, b: Record<string, unknown>): number {
  return Number(a.external_id) - Number(b.external_id);
}

function countsOf({ created, updated, unchanged, rejected }: TestImport) {
  return { created, updated, unchanged, rejected };
}

/** Rows whose rejection is missing, unexpected or lacks a reason, each described by the row and the problem that it has. */
function unexpectedRejections(system: ExportedSystem, { rows }: ChurchExport, { rejectLines }: TestImport): string[] {
  const [idColumn = ''] = system.header.split(';');
  const rejected: Record<string, string>[] = parse(`${rejectLines.join('\n')}\n`, {
    bom: true,
    columns: true,
    delimiter: system.format.delimiter,
    relax_column_count: true,
  });
  const expected = rows.flatMap(({ person, expected }) =>
    typeof expected === 'object' ? { id: String(person.id), reasons: expected.rejected } : [],
  );
  const differences = Array.from({ length: Math.max(rejected.length, expected.length) }, (_, at) => {
    const row = rejected[at];
    const { id, reasons } = expected[at] ?? { id: undefined, reasons: [] };
    const isExpected = row?.[idColumn] === id && reasons.every((reason) => reason.test(row?.problem ?? ''));
    return isExpected ? [] : `expected ${id} (${reasons.join(' ')}), found ${row?.[idColumn]}: ${row?.problem}`;
  });
  return differences.flat();
}
