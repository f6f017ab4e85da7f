import { Prisma } from './generated/client.ts';

/** A statement or a fragment of one, with bound values. */
export type Sql = Prisma.Sql;

/** The text and values of a statement. */
export type Statement = Pick<Sql, 'text' | 'values'>;

/** Prisma's SQL template tag: `${}` is always a bound value or an SQL fragment. */
export const sql = Prisma.sql;

/** An SQL fragment from a constant. Never pass it untrusted input. */
export const raw = Prisma.raw;

/** A quoted name of letters, digits and underscores. @throws {TypeError} for anything else. */
export function sqlName(name: string): Sql {
  if (!/^\w{1,63}$/.test(name)) throw new TypeError(`not a column name: ${name}`);
  return raw(`"${name}"`);
}

/** A string literal of letters, digits and underscores, for constants of a statement. @throws {TypeError} for anything else. */
export function sqlText(text: string): Sql {
  if (!/^\w+$/.test(text)) throw new TypeError(`not a word: ${text}`);
  return raw(`'${text}'`);
}

/**
 * Hides a value from PostgreSQL's planner, which then cannot estimate how many rows match it. A plan for these values seems
 * no better to it than one for all values, so it keeps that of a prepared statement. Planning can take longer than running.
 *
 * @param type a PostgreSQL type.
 */
export function withoutEstimate(value: unknown, type: string): Sql {
  return sql`(SELECT ${value}::${raw(type)})::${raw(type)}`;
}

/** An empty fragment, for omitted optional parts. */
export const empty = Prisma.empty;

/** Joins fragments with a separator. */
export const join = Prisma.join;

/** A `timestamptz` column as ISO 8601 in UTC with milliseconds. */
export function isoTimestamp(column: string): Sql {
  return raw(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
}

/** A `date` column as `YYYY-MM-DD`. */
export function isoDate(column: string): Sql {
  return raw(`to_char(${column}, 'YYYY-MM-DD')`);
}

/**
 * The time of the database, by which keys, sessions and links expire, rounded like that of its columns. In a transaction,
 * the time at which it began.
 */
export async function databaseTime(prisma: Prisma.TransactionClient): Promise<Date> {
  const [row] = await prisma.$queryRaw<{ now: Date }[]>`SELECT now()::timestamptz(3)`;
  return (row as { now: Date }).now;
}
