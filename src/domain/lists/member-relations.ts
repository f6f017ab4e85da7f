import type { Database } from '../../store/database.ts';
import { raw, sql } from '../../store/sql.ts';
import type { Context } from '../core/context.ts';
import { boundedRows, requireAllRows, rowsReadColumn } from './bounded-rows.ts';
import { JsonRecord } from './json-record.ts';
import type { Fields } from './projection.ts';
import { fromRows, RECORD, type RecordSource, tableOf, tenantCondition } from './records.ts';
import { internStatement } from './statement-cache.ts';

/** The table that says which members have which records, and its column for these. */
export interface MemberLink {
  readonly table: string;
  readonly column: string;
}

/** A record, and the places in the question of the members that have it. */
interface MemberRelation {
  /** As PostgreSQL writes an array. */
  readonly places: string;
  /** The text of a JSON object. */
  readonly json: string;
  readonly rows_read?: number;
}

/**
 * The records that each of several members has. One statement; a record that many have is read once.
 *
 * @param db where to read: a transaction sees what it wrote.
 * @returns for each of `memberIds` its records in the order of the source.
 */
export async function readMemberRelations<Node>(
  context: Context,
  db: Database,
  source: RecordSource<Node>,
  { table, column }: MemberLink,
  memberIds: readonly string[],
  fields: Fields | undefined,
): Promise<JsonRecord<Node>[][]> {
  const alias = raw(source.alias);
  // One text, which the driver passes on as it is: of an array it would quote each. No id has a comma.
  const ids = memberIds.join(',');
  const record = sql`${raw(`link.${column}`)}`;
  const had = sql`(
    SELECT ${alias}.*, had.places FROM (
      SELECT ${record} AS id, array_agg(asked.place)::text AS places
      FROM unnest(string_to_array(${ids}, ',')) WITH ORDINALITY AS asked (id, place)
      JOIN ${raw(table)} link
        ON link.organization_id = ${context.caller.organization.id} AND link.member_id = asked.id
      GROUP BY ${record}
    ) had JOIN ${tableOf(source)} ON ${tenantCondition(context, source)} AND ${alias}.id = had.id
  ) ${alias}`;
  const statement = sql`
    SELECT ${alias}.places, row_to_json(${RECORD})::text AS json${rowsReadColumn(source, fields)}
    ${fromRows(boundedRows(source, fields, had, sql`${alias}.position`), source, fields)}
    ORDER BY ${alias}.position`;
  const rows = await db.rows<MemberRelation>(internStatement(source, fields ?? source, 'of members', statement));
  requireAllRows(rows);
  return byPlace(memberIds.length, rows);
}

function byPlace<Node>(count: number, rows: readonly MemberRelation[]): JsonRecord<Node>[][] {
  const records: JsonRecord<Node>[][] = Array.from({ length: count }, () => []);
  for (const { places, json } of rows) {
    const record = new JsonRecord<Node>(json);
    for (const place of places.slice(1, -1).split(',')) records[Number(place) - 1]?.push(record);
  }
  return records;
}
