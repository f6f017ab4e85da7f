import { writableFields } from '../../src/domain/definition/create.ts';
import { type Entity, nameInSentence, searchTextFor } from '../../src/domain/definition/entity.ts';
import type { Field } from '../../src/domain/definition/field.ts';
import { ENTITIES, type EntityName } from '../../src/domain/entities/registry.ts';
import { newId } from '../../src/domain/values/ids.ts';
import { join, raw, sql } from '../../src/store/sql.ts';
import { times } from './data.ts';
import type { TestService } from './service.ts';

// Records derived from the definition of their entity, so that tests of all entities include new ones.

/** Entities whose records have integer ids, or columns in addition to their fields. */
const WITH_OWN_RECORDS = ['members', 'tags', 'departments', 'forms', 'form_responses'] as const;

/** An entity whose records require only values of its fields. */
export type DerivedEntityName = Exclude<EntityName, (typeof WITH_OWN_RECORDS)[number]>;

/** The entities whose records require only values of their fields. */
export const DERIVED_ENTITIES = (Object.keys(ENTITIES) as EntityName[])
  .filter((name): name is DerivedEntityName => !(WITH_OWN_RECORDS as readonly string[]).includes(name))
  .map((name) => ({ name, entity: ENTITIES[name].entity as unknown as Entity<object> }));

/** A text that is unique among the records of the entity, for searches: `Prayer request 1`. */
export function labelOf(entity: Entity<object>, n: number): string {
  const noun = nameInSentence(entity);
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${n}`;
}

/** The n-th record with its required fields only: a text that is unique, and otherwise the value of the example. */
export function requiredValuesOf(entity: Entity<object>, n = 0): Record<string, unknown> {
  return valuesOf(entity.fields, (field) => {
    if (!field.required) return field.default;
    return field.type === 'text' ? labelOf(entity, n) : field.example;
  });
}

/** A record with all fields of the documentation's example. */
export function exampleValuesOf(entity: Entity<object>): Record<string, unknown> {
  return valuesOf(entity.fields, (field) => field.example ?? field.default);
}

/** A request body that creates a record with the required fields, or with all fields of the example. */
export function newRecordOf(entity: Entity<object>, values: Record<string, unknown>): Record<string, unknown> {
  const names = writableFields(entity, 'create').map(([name]) => name);
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** The ids to which the references of records refer, by the plural of their entity. */
type ReferencedIds = Readonly<Record<string, string>>;

/** Returns the values with these ids for the references that have the id of the example. */
export function withReferences<Values extends Readonly<Record<string, unknown>>>(
  entity: Entity<object>,
  values: Values,
  ids: ReferencedIds,
): Values {
  const references = referencesIn(entity, values).map(([name, plural]) => [name, ids[plural]]);
  return { ...values, ...Object.fromEntries(references) };
}

/** The references with the id of the example, each with the plural of its entity. */
function referencesIn(entity: Entity<object>, values: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries<Field>(entity.fields).flatMap(([name, { reference, example }]) =>
    reference && example !== undefined && values[name] === example ? [[name, reference.plural]] : [],
  );
}

const referenced = new Map<string, Promise<string>>();

/** The same, with the ids of records that are created once in each organization. */
export async function withNewReferences<Values extends Readonly<Record<string, unknown>>>(
  service: Pick<TestService, 'store'>,
  organizationId: string,
  entity: Entity<object>,
  values: Values,
): Promise<Values> {
  const plurals = referencesIn(entity, values).map(([, plural]) => plural);
  const ids = plurals.map(async (plural) => {
    const key = `${organizationId} ${plural}`;
    const id = referenced.get(key) ?? insertReferenced(service, organizationId, plural as EntityName);
    referenced.set(key, id);
    return [plural, await id] as const;
  });
  return withReferences(entity, values, Object.fromEntries(await Promise.all(ids)));
}

async function insertReferenced(
  service: Pick<TestService, 'store'>,
  organizationId: string,
  plural: EntityName,
): Promise<string> {
  const derived = DERIVED_ENTITIES.find(({ name }) => name === plural);
  if (derived) return (await insertRequired(service, organizationId, derived.name, 1))[0] as string;
  const id = newId(ENTITIES[plural].entity.prefix);
  const { db } = service.store;
  if (plural === 'departments') {
    await db.rows(sql`
      INSERT INTO department (organization_id, id, name, search_text) VALUES (${organizationId}, ${id}, 'Referenced', 'referenced')`);
  } else if (plural === 'members') {
    const address = `${id}@example.org`;
    await db.rows(sql`
      WITH new_person AS (INSERT INTO person (id) VALUES (${id})),
        new_address AS (INSERT INTO email_address (address, person_id) VALUES (${address}, ${id})),
        membership AS (INSERT INTO person_organization (person_id, slot, organization_id) VALUES (${id}, 1, ${organizationId}))
      INSERT INTO member (organization_id, id, first_name, last_name, email_address, search_text, search_phone)
      VALUES (${organizationId}, ${id}, 'Referenced', 'Member', ${address}, '', '')`);
  } else throw new Error(`Derived records cannot refer to ${plural}`);
  return id;
}

/**
 * Inserts records with values for the same fields, in one statement, and the records to which they refer. Returns their
 * ids in order.
 */
export async function insertRecords(
  service: Pick<TestService, 'store'>,
  organizationId: string,
  name: DerivedEntityName,
  records: readonly object[],
): Promise<string[]> {
  const entity = ENTITIES[name].entity as unknown as Entity<object>;
  const resolved = await Promise.all(
    records.map((values) =>
      withNewReferences(service, organizationId, entity, values as Readonly<Record<string, unknown>>),
    ),
  );
  const rows = resolved.map((values) => ({
    organization_id: organizationId,
    id: newId(entity.prefix) as string,
    ...(entity.searchedFields.length > 0 && { search_text: searchTextFor(entity, values) }),
    ...values,
  }));
  const columns = join(Object.keys(rows[0] ?? { id: '' }).map(raw));
  await service.store.db.rows(sql`
    INSERT INTO ${raw(entity.table)} (${columns})
    SELECT ${columns} FROM jsonb_populate_recordset(NULL::${raw(entity.table)}, ${JSON.stringify(rows)}::jsonb)`);
  return rows.map(({ id }) => id);
}

/** Inserts records with only their required fields. Returns their ids in order. */
export function insertRequired(
  service: Pick<TestService, 'store'>,
  organizationId: string,
  name: DerivedEntityName,
  count: number,
): Promise<string[]> {
  const entity = ENTITIES[name].entity as unknown as Entity<object>;
  return insertRecords(
    service,
    organizationId,
    name,
    times(count, (n) => requiredValuesOf(entity, n)),
  );
}

/** The first segment of the paths of an entity in REST: `prayer-requests`. */
export function segmentOf({ plural }: Pick<Entity, 'plural'>): string {
  return plural.replaceAll('_', '-');
}

/** Inserts a record of each derived entity. Returns their ids by the segment of their paths. */
export async function idsBySegment(
  service: Pick<TestService, 'store'>,
  organizationId: string,
): Promise<Record<string, string>> {
  const inserted = DERIVED_ENTITIES.map(async ({ name, entity }) => {
    const [id = ''] = await insertRequired(service, organizationId, name, 1);
    return [segmentOf(entity), id] as const;
  });
  return Object.fromEntries(await Promise.all(inserted));
}

/** Returns a body with the required fields for each derived entity, by the path of its list. */
export async function bodiesByPath(
  service: Pick<TestService, 'store'>,
  organizationId: string,
): Promise<Record<string, object>> {
  const bodies = DERIVED_ENTITIES.map(async ({ entity }) => {
    const values = newRecordOf(entity, requiredValuesOf(entity));
    return [`/${segmentOf(entity)}`, await withNewReferences(service, organizationId, entity, values)] as const;
  });
  return Object.fromEntries(await Promise.all(bodies));
}

function valuesOf(fields: Readonly<Record<string, Field>>, read: (field: Field) => unknown) {
  const columns = Object.entries(fields).filter(
    ([, { isResponseOnly, isRecordTime, sql: customSql }]) => !isResponseOnly && !isRecordTime && !customSql,
  );
  const values = columns.map(([name, field]) => [name, read(field)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null));
}
