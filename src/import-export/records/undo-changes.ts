import type { Entity } from '../../domain/definition/entity.ts';
import type { Field } from '../../domain/definition/field.ts';
import { ENTITIES } from '../../domain/entities/registry.ts';
import { join, raw, type Sql, sql } from '../../store/sql.ts';
import { isJsonEqual } from '../files/json.ts';
import { type Batch, idTypeOf } from './batch.ts';
import type { Change, KeptValue, ResourceDefinition, StoredBatch } from './resource.ts';
import type { Values } from './row.ts';

/** Why a value stays that is not the one of the import anymore. */
export const CHANGED = 'was changed since';

/** The primary keys of tables after the organization; of all others, `id`. */
export const KEYS: Readonly<Record<string, readonly string[]>> = {
  member_tag: ['member_id', 'tag_id'],
  department_member: ['department_id', 'member_id'],
  external_id: ['resource', 'source', 'external_id'],
};

type Reference = readonly [table: string, column: string, reason: string];

/** Columns that refer to records of a table, and why a record with such a reference stays. */
const REFERENCES: Readonly<Record<string, readonly Reference[]>> = {
  designation: [['member', 'designation_id', 'is the designation of a member']],
  tag: [['member_tag', 'tag_id', 'is the tag of a member']],
  member: [
    ['department', 'head_id', 'is the head of a department'],
    ['department_member', 'member_id', 'is in a department'],
    ['member_tag', 'member_id', 'was given a tag since'],
  ],
  department: [['department_member', 'department_id', 'has a member']],
  form: [
    ['form_field', 'form_id', 'was given a field since'],
    ['form_response', 'form_id', 'has a response'],
  ],
};

/** The columns that refer to records of a table: those above, and the references of entities. */
export function referencesTo(table: string): readonly Reference[] {
  const ofEntities = Object.values(ENTITIES).flatMap(
    ({ entity }: { readonly entity: Pick<Entity, 'table' | 'plural' | 'fields'> }) =>
      Object.entries<Field>(entity.fields).flatMap(([column, { reference }]): Reference[] =>
        reference?.table === table ? [[entity.table, column, `is used in ${entity.plural}`]] : [],
      ),
  );
  return [...(REFERENCES[table] ?? []), ...ofEntities];
}

/** Reads what a batch changed in a table, and what is stored now. */
export function readChanges(batch: Batch, stored: StoredBatch, table: string): Promise<Change[]> {
  return batch.query<Change>(sql`
    SELECT c.record_key AS key, c.before, c.after, to_jsonb(t) AS current
    FROM import_change c LEFT JOIN ${raw(table)} t ON ${isRowOfChange(table)}
    WHERE ${isChangeOf(batch, stored, table)} ORDER BY c.record_key`);
}

/** Whether a row is still as the batch left it. */
export function isUnchanged({ after, current }: Change): boolean {
  return Object.keys(after).every((name) => isJsonEqual(after[name], current?.[name]));
}

/** The columns that differ, except the time of the last update. */
export function changedColumns(from: Values, to: Values | null): string[] {
  return Object.keys(from).filter((name) => name !== 'updated_at' && !isJsonEqual(from[name], to?.[name]));
}

/** The field of a column. */
export function fieldOf({ references = {} }: Pick<ResourceDefinition, 'references'>, column: string): string {
  return Object.keys(references).find((field) => references[field]?.column === column) ?? column;
}

/** The links that are as the batch inserted them. Those that were removed and added again since are kept. */
export function unchangedLinks<Link extends Change>(
  table: string,
  field: string,
  links: readonly Link[],
  kept: KeptValue[],
): Link[] {
  for (const link of links)
    if (link.current && !isUnchanged(link)) kept.push({ table, key: link.key, field, reason: CHANGED });
  return links.filter(isUnchanged);
}

/** Deletes rows that a batch inserted. */
export async function deleteInserted(
  batch: Batch,
  stored: StoredBatch,
  table: string,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  await batch.query(sql`
    DELETE FROM ${raw(table)} t USING import_change c WHERE ${isChangeOf(batch, stored, table)}
      AND c.record_key = ANY(${changes.map(({ key }) => key)}::text[]) AND ${isRowOfChange(table)}`);
}

/**
 * Maps the ids of records that others refer to, to the reason why these records stay. References that the same batch inserted
 * do not count, unless they were changed since.
 */
export async function findReferences(
  batch: Batch,
  stored: StoredBatch,
  { resource, table }: { readonly resource: string; readonly table: string },
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const references = referencesTo(table).map(([from, column, reason]) => ({
    from,
    reason,
    refers: sql`t.${raw(column)} = s.id::${raw(idTypeOf(table))}`,
  }));
  const isExternalId = sql`t.resource = ${resource} AND t.record_id = s.id`;
  const all = [...references, { from: 'external_id', reason: 'has an id of another import', refers: isExternalId }];
  const selects = all.map(
    ({ from, reason, refers }) => sql`
      SELECT s.id, ${reason}::text AS reason FROM unnest(${[...ids]}::text[]) AS s (id) WHERE EXISTS (
        SELECT FROM ${raw(from)} t WHERE t.organization_id = ${batch.organization.id} AND ${refers} AND NOT EXISTS (
          SELECT FROM import_change c WHERE ${isChangeOf(batch, stored, from)} AND c.record_key = ${keyOf(from)}
            AND c.before IS NULL AND to_jsonb(t) @> c.after))`,
  );
  const found = await batch.query<{ id: string; reason: string }>(join(selects, ' UNION ALL '));
  return new Map(found.map(({ id, reason }) => [id, reason]));
}

/** Stores which rows stay, and deletes the other changes of the batch: it is undone. */
export async function endUndo(
  { query, organization }: Batch,
  { runId, number }: StoredBatch,
  kept: readonly KeptValue[],
): Promise<void> {
  const ofBatch = sql`organization_id = ${organization.id} AND run_id = ${runId} AND batch = ${number}`;
  if (kept.length > 0)
    await query(sql`
      UPDATE import_change c SET kept = s.kept
      FROM (
        SELECT "table", key, jsonb_agg(jsonb_build_object('field', field, 'reason', reason)) AS kept
        FROM json_to_recordset(${JSON.stringify(kept)}::json) AS k ("table" text, key text, field text, reason text)
        GROUP BY "table", key
      ) s
      WHERE ${ofBatch} AND c.table_name = s."table" AND c.record_key = s.key`);
  await query(sql`DELETE FROM import_change WHERE ${ofBatch} AND kept IS NULL`);
}

/** The condition that a row `c` is a change of a table by a batch. */
function isChangeOf({ organization }: Batch, { runId, number }: StoredBatch, table: string): Sql {
  return sql`c.organization_id = ${organization.id} AND c.run_id = ${runId} AND c.batch = ${number}
    AND c.table_name = ${table}`;
}

/** The condition that a row `t` is the one that a change `c` describes. */
function isRowOfChange(table: string): Sql {
  const columns = keyColumns(table).map((name) => {
    return raw(`t.${name} = (c.after ->> '${name}')::${name === 'id' ? idTypeOf(table) : 'text'}`);
  });
  return sql`t.organization_id = c.organization_id AND ${join(columns, ' AND ')}`;
}

/** The key of a row `t` in changes. */
function keyOf(table: string): Sql {
  return raw(`concat_ws(' ', ${keyColumns(table).map((name) => `t.${name}`)})`);
}

function keyColumns(table: string): readonly string[] {
  return KEYS[table] ?? ['id'];
}
