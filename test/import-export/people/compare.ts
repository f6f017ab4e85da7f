import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Renamed } from '../../../src/import-export/import/checkpoint.ts';
import { sql } from '../../../src/store/sql.ts';
import type { Store } from '../../../src/store/store.ts';
import { importText, ndjson } from '../imports.ts';
import { describeValues, MembersModel, type MemberValues, nameOf, type PeopleFile, type PersonRow } from './model.ts';

const DISTINCT_NAMES = 'Anna Otto Lina Paul Ruth Tom Ines Udo Vera Max Eva Jan'.split(' ');
/** Some people of different families have the same first name. */
const COMMON_NAMES = 'Anna Otto Lina Paul Anna Otto Lina Paul Vera Max Eva Otto'.split(' ');
const LAST_NAMES = ['Berg', 'Costa', 'Nguyen'];
const SOURCES = ['', 'newsletter'];

/** A row of a file: a person, with an address of their own or a shared one, with or without an id and a new last name. */
const rowSpec = fc.record({
  person: fc.nat(DISTINCT_NAMES.length - 1),
  address: fc.oneof(
    { weight: 3, arbitrary: fc.constant('own') },
    { weight: 2, arbitrary: fc.constantFrom('family', 'a', 'b', 'c', 'none') },
  ),
  birthday: fc.constantFrom('own', 'none', 'none'),
  hasId: fc.boolean(),
  hasNewLastName: fc.boolean(),
});

const files = fc.array(
  fc.record({
    source: fc.nat(SOURCES.length - 1),
    shift: fc.nat(3),
    trustsAddresses: fc.boolean(),
    fills: fc.boolean(),
    rows: fc.array(rowSpec, { minLength: 1, maxLength: 14 }),
  }),
  { minLength: 1, maxLength: 4 },
);

type ValueOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Creates the files of a run. People belong to one of three families, in which first names are distinct. Two systems can
 * use the same id for different people, but never for people of the same family: that would look like a corrected first
 * name.
 */
function createFiles(run: string, firstNames: readonly string[], descriptions: ValueOf<typeof files>): PeopleFile[] {
  return descriptions.map(({ source, shift, trustsAddresses, fills, rows }) => ({
    source: SOURCES[source] as string,
    trustsAddresses,
    fillDomain: fills ? `fill.${run}.example.org` : undefined,
    rows: rows.map(({ person, address, birthday, hasId, hasNewLastName }): PersonRow => {
      const family = person % LAST_NAMES.length;
      const localParts: Record<string, string> = { own: `own${person}`, family: `family${family}` };
      const id = (person + shift * (LAST_NAMES.length + 1) * source) % firstNames.length;
      return {
        ...(hasId && { external_id: String(id) }),
        first_name: firstNames[person] as string,
        last_name: hasNewLastName ? 'Wed' : (LAST_NAMES[family] as string),
        ...(address !== 'none' && { email_address: `${localParts[address] ?? address}@${run}.example.org` }),
        ...(birthday === 'own' && { date_of_birth: `1980-01-${10 + person}` }),
        city: `City of ${DISTINCT_NAMES[person]}`,
      };
    }),
  }));
}

/** Whether a row may be stored in a member that has values of another person. */
function canJoin({ row, before, hadId }: MembersModel['joins'][number], { trustsAddresses }: PeopleFile): boolean {
  const hasAddress = row.email_address === before.email_address;
  const hasFirstName = row.first_name === before.first_name;
  const hasLastName = row.last_name === before.last_name;
  if (hadId) return (hasFirstName && hasLastName) || (hasAddress && (hasFirstName || hasLastName || trustsAddresses));
  return hasAddress && (hasFirstName || trustsAddresses);
}

const withoutId = ({ id: _, ...renamed }: Renamed) => renamed;
const byLine = (a: { readonly line: number }, b: { readonly line: number }) => a.line - b.line;

/**
 * Imports files of random people with random options, first in dry runs, and compares members, results and changed names
 * with a model in memory. With `distinct` first names, it also checks that each member has the values of one person.
 *
 * @throws on the first difference, with the seed and the smallest files found that show it.
 */
export function comparePeople(
  service: { readonly store: Store; organization(): Promise<{ readonly id: string }> },
  names: 'distinct' | 'common',
  sampling: { readonly seed: number; readonly numRuns: number },
): Promise<void> {
  const { store } = service;
  const membersOf = async (organizationId: string) => {
    const members = await store.db.rows<MemberValues>(sql`
      SELECT first_name, last_name, email_address, city, date_of_birth::text FROM member
      WHERE organization_id = ${organizationId}`);
    return members.map(describeValues).sort();
  };
  const property = fc.asyncProperty(files, async (descriptions) => {
    const { id } = await service.organization();
    const model = new MembersModel();
    const firstNames = names === 'distinct' ? DISTINCT_NAMES : COMMON_NAMES;
    for (const file of createFiles(randomUUID(), firstNames, descriptions)) {
      const { source, rows, trustsAddresses, fillDomain } = file;
      const before = new Map(model.members.map((member) => [member, nameOf(member.values)]));
      const expected = model.import(file);
      const settings = { source, trustsAddresses, fillEmail: fillDomain && `{external_id}@${fillDomain}` };
      const content = ndjson(...rows);
      const dryRun = await importText(store, id, 'members.ndjson', content, { ...settings, dryRun: true });
      const result = await importText(store, id, 'members.ndjson', content, settings);
      expect(result).toMatchObject(expected);
      expect(dryRun).toMatchObject(expected);
      expect(dryRun.rejectLines).toEqual(result.rejectLines);
      expect(dryRun.renamed.map(withoutId)).toEqual(result.renamed.map(withoutId));
      expect(result.renamed.map(withoutId).sort(byLine)).toEqual(model.renamed.sort(byLine));
      expect(await membersOf(id)).toEqual(model.members.map(({ values }) => describeValues(values)).sort());
      for (const join of model.joins) expect(join.row.city === join.before.city || canJoin(join, file)).toBe(true);
      for (const member of model.members) {
        expect(new Set(member.rows.map(({ first_name }) => first_name)).size).toBeLessThan(2);
        expect(new Set(member.rows.flatMap(({ external_id }) => external_id ?? [])).size).toBeLessThan(2);
        const [from, to] = [before.get(member), nameOf(member.values)];
        expect(from === undefined || from === to || model.renamed.some(({ after }) => after === to)).toBe(true);
      }
    }
    // With common names or trusted addresses, a new name at the same address can also be another person.
    if (names === 'common' || descriptions.some(({ trustsAddresses }) => trustsAddresses)) return;
    for (const { values } of model.members) expect(values.city).toBe(`City of ${values.first_name}`);
  });
  return fc.assert(property, { ...sampling, endOnFailure: true });
}
