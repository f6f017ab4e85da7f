import { raw, sql, withoutEstimate } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import type { SelectedFields } from '../core/operation.ts';
import { boundedRows, requireAllRows, rowsReadColumn } from './bounded-rows.ts';
import { fromRows, JsonRecord, RECORD, type RecordSource, tableOf, tenantCondition } from './records.ts';

/** A join table of members and other records, and its column with the ids of these records. */
export interface MemberLink {
  readonly table: string;
  readonly column: string;
}

/** A record, and the indexes of the members that are linked to it. */
interface MemberRelation {
  /** Indexes into the member ids, from 1, as a PostgreSQL array literal. */
  readonly indexes: string;
  /** A JSON object. */
  readonly json: string;
  readonly rows_read?: number;
}

/**
 * Reads the records that are linked to each of several members, in one statement. A record that is linked to several
 * members is read once.
 *
 * @returns for each of `memberIds`, its records in the order of the source.
 */
export async function readMemberRelations<Node>(
  context: Context,
  source: RecordSource<Node>,
  { table, column }: MemberLink,
  memberIds: readonly string[],
  fields?: SelectedFields,
): Promise<JsonRecord<Node>[][]> {
  const alias = raw(source.alias);
  // A single string is cheaper than an array, whose elements the driver would quote. Ids have no commas.
  const ids = memberIds.join(',');
  const recordId = sql`${raw(`link.${column}`)}`;
  const linked = sql`(
    SELECT ${alias}.*, linked.indexes FROM (
      SELECT ${recordId} AS id, array_agg(requested.index)::text AS indexes
      FROM unnest(string_to_array(${withoutEstimate(ids, 'text')}, ',')) WITH ORDINALITY AS requested (id, index)
      JOIN ${raw(table)} link
        ON link.organization_id = ${context.caller.organization.id} AND link.member_id = requested.id
      GROUP BY ${recordId}
    ) linked JOIN ${tableOf(source)} ON ${tenantCondition(context, source)} AND ${alias}.id = linked.id
  ) ${alias}`;
  const bounded = boundedRows(source, fields, { rows: linked, order: sql`${alias}.position` });
  const rows = await context.db.rows<MemberRelation>(sql`
    SELECT ${alias}.indexes, row_to_json(${RECORD})::text AS json${rowsReadColumn(source, fields)}
    ${fromRows(bounded, source, fields)}
    ORDER BY ${alias}.position`);
  requireAllRows(rows);
  return groupByMember(memberIds.length, rows);
}

function groupByMember<Node>(count: number, rows: readonly MemberRelation[]): JsonRecord<Node>[][] {
  const records: JsonRecord<Node>[][] = Array.from({ length: count }, () => []);
  for (const { indexes, json } of rows) {
    const record = new JsonRecord<Node>(json);
    for (const index of indexes.slice(1, -1).split(',')) records[Number(index) - 1]?.push(record);
  }
  return records;
}
