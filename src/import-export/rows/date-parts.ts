import type { ImportResource } from '../records/batch.ts';

/** The name of a column that has only a part of a date, as in `date_of_birth.day`. */
const DATE_PART = /^(.+)\.(day|month|year)$/;

/** The columns that have the parts of a date. */
export type DateColumns = Readonly<Partial<Record<'day' | 'month' | 'year', string>>>;

/** The field of the target of an option: `date_of_birth` for `date_of_birth.day`. */
export function fieldOfOption({ fields }: ImportResource, name: string): string {
  const field = DATE_PART.exec(name)?.[1];
  return field !== undefined && fields[field] === 'date' ? field : name;
}

/** The columns with parts of dates, by field. */
export function dateColumnsOf(fields: ReadonlyMap<string, string>): Map<string, DateColumns> {
  const columns = new Map<string, DateColumns>();
  for (const [column, name] of fields) {
    const [, field, part] = DATE_PART.exec(name) ?? [];
    if (field !== undefined && part !== undefined) columns.set(field, { ...columns.get(field), [part]: column });
  }
  return columns;
}

/**
 * Joins a date whose parts are in several columns, as in `1984-03-17`; parts without a value, or of zeros, are question marks,
 * as in `????-03-17`. Empty if no part has a value.
 */
export function joinDate(columns: DateColumns, cellOf: (column: string) => unknown): string {
  const parts = [columns.year, columns.month, columns.day].map((column) =>
    column === undefined ? '' : String(cellOf(column) ?? '').trim(),
  );
  if (parts.every(isEmpty)) return '';
  return parts
    .map((part, index) => (isEmpty(part) ? '??'.repeat(index === 0 ? 2 : 1) : part.padStart(2, '0')))
    .join('-');
}

const isEmpty = (part: string) => /^0*$/.test(part);
