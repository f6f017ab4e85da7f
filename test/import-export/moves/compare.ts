import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { expect } from 'vitest';
import { readMapping } from '../../../src/cli/commands/import.ts';
import type { ImportResult } from '../../../src/import-export/import/import-run.ts';
import type { Store } from '../../../src/store/store.ts';
import { exported, exportText, importText, ndjson, undo } from '../imports.ts';
import { ChurchGenerator } from './church.ts';
import { Random } from './random.ts';
import type { Person, System } from './systems.ts';

/** A member as it is exported. */
type Member = Person & Readonly<Record<string, unknown>>;

/** The members after an import, by external id, and the numbers of the result. */
interface Expected {
  readonly members: ReadonlyMap<string, Member>;
  readonly counts: Partial<ImportResult>;
}

/**
 * Moves a generated church from a system with its mapping file and `--fill-email`, imports a newer export over it, and
 * compares each value of each member with those of the generator. The newer export is repeated, and both are undone.
 *
 * @returns the numbers of members and of compared values.
 * @throws if there are differences: their number for each field, and examples.
 */
export async function compareMove(
  service: { readonly store: Store; organization(settings: { country: string }): Promise<{ readonly id: string }> },
  system: System,
  { seed, size }: { readonly seed: number; readonly size: number },
): Promise<{ members: number; values: number }> {
  const { store } = service;
  const { id } = await service.organization({ country: system.country });
  const domain = `${randomUUID()}.example.org`;
  const random = new Random(seed);
  const church = new ChurchGenerator(random, system, domain);
  const { columns, values: valueMap } = await readMapping(
    join(import.meta.dirname, `../../../docs/mappings/${system.mapping}.json`),
  );
  const fillEmail = `{external_id}@people.${domain}`;
  const options = { map: columns, optionalColumns: new Set(Object.keys(columns)), valueMap, fillEmail };
  const designations = ndjson(...system.designations.map((name) => ({ name })));
  await importText(store, id, 'designations.ndjson', designations);
  const differences = new Map<string, string[]>();
  const differ = (kind: string, example: unknown) =>
    differences.set(kind, [...(differences.get(kind) ?? []), JSON.stringify(example)]);
  let values = 0;

  const move = async (name: string, people: readonly Person[], before: ReadonlyMap<string, Member>) => {
    const rows = people.map((person) => system.row(person, random));
    const csv = stringify(rows, { header: true, delimiter: system.delimiter, bom: true });
    const run = (dryRun: boolean) => importText(store, id, 'members.csv', csv, { ...options, dryRun });
    const [dryRun, result] = [await run(true), await run(false)];
    for (const [key, value] of Object.entries(comparable(result))) {
      const other = comparable(dryRun)[key];
      if (JSON.stringify(other) !== JSON.stringify(value)) differ(`${name}, dry run: ${key}`, [other, value]);
    }
    const expected = expectedAfter(people, before, (externalId) => fillEmail.replace('{external_id}', externalId));
    for (const [key, value] of Object.entries({ ...expected.counts, ...cellCounts(system, people, rows) })) {
      const actual = result[key as keyof ImportResult];
      if (JSON.stringify(actual) !== JSON.stringify(value)) differ(`${name}: ${key}`, { actual, expected: value });
    }
    for (const rejected of result.rejectLines.slice(1, 1 + result.rejected - (expected.counts.rejected ?? 0)))
      differ(`${name}: rejected`, rejected);
    const stored: Member[] = await exported(store, id, 'members');
    for (const member of stored) {
      const truth = expected.members.get(member.external_id);
      if (!truth) differ(`${name}: member`, member);
      for (const [field, value] of Object.entries(truth ?? {})) {
        values++;
        if (JSON.stringify(member[field]) === JSON.stringify(value)) continue;
        differ(`${name}: ${field}`, { id: member.external_id, actual: member[field], expected: value });
      }
    }
    if (stored.length !== expected.members.size) differ(`${name}: members`, [stored.length, expected.members.size]);
    return { result, stored: new Map(stored.map((member) => [member.external_id, member])) };
  };

  const empty = await exportText(store, id);
  const people = church.create(size);
  const first = await move('first export', people, new Map());
  const moved = await exportText(store, id);
  const later = church.later(people);
  const second = await move('newer export', later, first.stored);
  const repeated = await move('newer export, repeated', later, second.stored);
  if (repeated.result.run_id !== null) differ('repeated export stored something', repeated.result);
  for (const [{ result }, before] of [
    [second, moved],
    [first, empty],
  ] as const) {
    const undone = await undo(store, id, result.run_id);
    if (!undone.complete || undone.kept.length > 0) differ('undo', undone);
    const after = await exportText(store, id);
    if (JSON.stringify(after) !== JSON.stringify(before)) differ('export after undo', Object.keys(after));
  }
  const report = [...differences].map(
    ([kind, examples]) => `${kind}: ${examples.length}, as in ${examples.slice(0, 3)}`,
  );
  expect(report, `a move from ${system.name}, seed ${seed}`).toEqual([]);
  return { members: second.stored.size, values };
}

/** What a dry run and a run have in common. */
function comparable({ run_id, longest_batch_ms, rejects, renamed, ...result }: ImportResult): Record<string, unknown> {
  return { ...result, renamed: renamed.map(({ line, before, after }) => [line, before, after]) };
}

/** The counts of cells that the export writes in a way of its own. */
function cellCounts({ country }: System, people: readonly Person[], rows: readonly Record<string, string>[]) {
  const birthdays = rows.map(
    (row) => row.Birthdate ?? row.Birthday ?? row.Geburtsdatum ?? `${row['Geb.-Tag']}${row['Geb.-Jahr']}`,
  );
  const cells = rows.flatMap((row) => Object.values(row));
  return {
    null_cells: birthdays.filter((cell, at) => cell !== '' && people[at]?.date_of_birth === null).length,
    unwrapped_cells: cells.filter((cell) => cell.startsWith('="')).length,
    short_zip_codes: country === 'US' ? people.filter(({ zip_code }) => zip_code?.length === 4).length : 0,
    similar_columns: {},
  };
}

/** What an import must store, according to the rules of docs/import-export.md. */
function expectedAfter(
  people: readonly Person[],
  before: ReadonlyMap<string, Member>,
  filledAddress: (externalId: string) => string,
): Expected {
  const storedOf = ({ external_id }: Person) => before.get(external_id);
  const firstWith = new Map<string | null, Person>();
  const shared = new Set<string | null>();
  for (const person of people) {
    if (firstWith.has(person.email_address)) shared.add(person.email_address);
    else firstWith.set(person.email_address, person);
  }
  /** Whether a row can be the stored member with its id. */
  const isMember = (person: Person, stored: Member) => {
    const [first, last] = [hasSame('first_name', person, stored), hasSame('last_name', person, stored)];
    if (first && last) return true;
    if (person.email_address !== stored.email_address || !(first || (last && !shared.has(person.email_address))))
      return false;
    return (['date_of_birth', 'gender'] as const).every(
      (field) => person[field] === null || stored[field] === null || person[field] === stored[field],
    );
  };
  const accepted = people.filter((person) => {
    const stored = storedOf(person);
    return !stored || isMember(person, stored);
  });
  const owners = new Map([...before.values()].map((member) => [member.email_address, member.external_id]));
  /** Those who get the address of their row: it is nobody's, or that of somebody who gets another one. */
  let moving = accepted.filter(
    (person) =>
      person.email_address !== null &&
      firstWith.get(person.email_address) === person &&
      person.email_address !== storedOf(person)?.email_address,
  );
  for (let count = -1; count !== moving.length; ) {
    count = moving.length;
    const ids = new Set(moving.map(({ external_id }) => external_id));
    moving = moving.filter(({ email_address }) => {
      const owner = owners.get(email_address);
      return owner === undefined || ids.has(owner);
    });
  }
  const members = new Map(before);
  const counts = {
    created: 0,
    updated: 0,
    unchanged: 0,
    rejected: people.length - accepted.length,
    renamed_rows: 0,
    kept_addresses: 0,
    filled_addresses: 0,
  };
  for (const person of accepted) {
    const stored = storedOf(person);
    const email = moving.includes(person)
      ? person.email_address
      : (stored?.email_address ?? filledAddress(person.external_id));
    const given = Object.entries(person).filter(([, value]) => value !== null);
    const member = {
      ...(stored ?? { ...person, tags: [], is_guest: false }),
      ...Object.fromEntries(given),
      email_address: email,
    } as Member;
    const isChanged = stored !== undefined && JSON.stringify(member) !== JSON.stringify(stored);
    if (!stored) counts.created++;
    else if (isChanged) counts.updated++;
    else counts.unchanged++;
    if (stored && person.email_address !== null && person.email_address !== email) counts.kept_addresses++;
    if (!stored && person.email_address !== email) counts.filled_addresses++;
    if (stored && nameOf(stored) !== nameOf(member)) counts.renamed_rows++;
    const { updated_at: _, ...withoutTime } = member;
    members.set(person.external_id, (isChanged ? withoutTime : member) as Member);
  }
  return { members, counts };
}

function nameOf({ first_name, last_name }: Person): string {
  return `${first_name} ${last_name}`;
}

function hasSame(field: 'first_name' | 'last_name', a: Person, b: Person): boolean {
  const [one, other] = [a, b].map((person) =>
    person[field]
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, ''),
  );
  return one === other;
}
