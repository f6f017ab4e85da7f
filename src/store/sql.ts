import { Prisma } from './generated/client.ts';

/** A statement or a part of one, its values kept apart from its text. */
export type Sql = Prisma.Sql;

/** A statement as it is sent. */
export type Statement = Pick<Sql, 'text' | 'values'>;

/** Prisma's SQL template tag: `${}` is always a bound value, or another piece of SQL. */
export const sql = Prisma.sql;

/** A piece of SQL from a constant of this program. Never pass it anything a caller sent. */
export const raw = Prisma.raw;

/** A quoted name, for a column of a result. Letters, digits and underscores only. @throws {TypeError} */
export function sqlName(name: string): Sql {
  if (!/^\w{1,63}$/.test(name)) throw new TypeError(`not a name for a column: ${name}`);
  return raw(`"${name}"`);
}

/** A text of letters, digits and underscores as a literal, for what is the same in each use of a statement. @throws {TypeError} */
export function sqlText(text: string): Sql {
  if (!/^\w+$/.test(text)) throw new TypeError(`not a word: ${text}`);
  return raw(`'${text}'`);
}

/** No SQL at all: what an optional part is when it is left out. */
export const empty = Prisma.empty;

/** Several pieces with a separator between them. */
export const join = Prisma.join;

/** A `timestamptz` column as the specification writes it: ISO 8601 in UTC, with milliseconds. */
export function isoTimestamp(column: string): Sql {
  return raw(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
}

/** A `date` column as the specification writes it: `YYYY-MM-DD`. */
export function isoDate(column: string): Sql {
  return raw(`to_char(${column}, 'YYYY-MM-DD')`);
}
