import type { ImportResource } from '../records/batch.ts';

/** The name of a column that has only a part of a date, as in `date_of_birth.day`. */
const DATE_PART = /^(.+)\.(day|month|year)$/;

/** The columns that have the parts of a date. */
export type DateColumns = Readonly<Partial<Record<'day' | 'month' | 'year', string>>>;

/** The field that a name in an option means, also if it is that of a part of a date. */
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

/** A date whose parts are in several columns, as in `1984-03-17`, `--03-17` without a year, or `1984`; empty without any. */
export function joinDate(columns: DateColumns, cellOf: (column: string) => unknown): string {
  const [year = '', month = '', day = ''] = [columns.year, columns.month, columns.day].map((column) =>
    column === undefined ? '' : String(cellOf(column) ?? '').trim(),
  );
  const rest = [month, day].filter((part) => part !== '').map((part) => `-${part.padStart(2, '0')}`);
  return `${year || (rest.length > 0 ? '-' : '')}${rest.join('')}`;
}
