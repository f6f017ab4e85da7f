import type { FieldKind } from '../records/batch.ts';
import { type DateOrder, readDate } from './dates.ts';

/** A value of a field, or what is wrong with what was written; `undefined` says nothing. */
export type ValueRead = { readonly value: unknown } | { readonly problem: string };

/**
 * Reads a value as people write it. What is not understood is passed on as it is: the rules of the
 * record say then what would be right.
 *
 * @param written a cell of CSV, or any value of JSON.
 */
export function readValue(kind: FieldKind, written: unknown, order: DateOrder | undefined): ValueRead {
  return typeof written === 'string' ? fromText(kind, written, order) : fromJson(kind, written, order);
}

/** An empty cell says nothing; so it changes nothing. */
export function readCell(kind: FieldKind, cell: string, order: DateOrder | undefined): ValueRead {
  if (cell.trim() === '') return { value: undefined };
  if (kind === 'list' || kind === 'dates') return fromJson(kind, listOf(cell), order);
  if (kind !== 'json') return fromText(kind, cell, order);
  try {
    return { value: JSON.parse(cell) };
  } catch {
    return { problem: 'must be JSON' };
  }
}

const YES = ['true', 'yes', 'y', '1', 'x'];
const NO = ['false', 'no', 'n', '0'];
/** What people write for the values of enums; of genders so far. */
const ENUM_SYNONYMS: Readonly<Record<string, string>> = {
  m: 'Male',
  male: 'Male',
  f: 'Female',
  female: 'Female',
  others: 'Others',
  other: 'Others',
};

function fromText(kind: FieldKind, text: string, order: DateOrder | undefined): ValueRead {
  const plain = text.trim();
  const small = plain.toLowerCase();
  if (kind === 'integer' && /^-?\d{1,15}$/.test(plain)) return { value: Number(plain) };
  if (kind === 'boolean' && YES.includes(small)) return { value: true };
  if (kind === 'boolean' && NO.includes(small)) return { value: false };
  if (kind === 'enum') return { value: ENUM_SYNONYMS[small] ?? text };
  if (kind === 'date') return asDate(plain, order);
  if (kind === 'timestamp') return asMoment(plain, order);
  return { value: text };
}

function fromJson(kind: FieldKind, value: unknown, order: DateOrder | undefined): ValueRead {
  // Exports of other systems have numbers where text is due: ids, postal codes.
  if (kind === 'text' && Number.isSafeInteger(value)) return { value: String(value) };
  if (kind === 'dates' && Array.isArray(value)) return asDays(value, order);
  return { value };
}

/** The items of a cell: a JSON array, or texts with `;` or `|` between them. */
function listOf(cell: string): unknown {
  if (cell.trim().startsWith('[')) {
    try {
      return JSON.parse(cell);
    } catch {
      // An item may well begin with a bracket.
    }
  }
  return cell
    .split(/[;|]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function asDate(text: string, order: DateOrder | undefined): ValueRead {
  const read = readDate(text, order);
  return 'problem' in read ? read : { value: read.date };
}

const ISO_MOMENT = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/i;
const DAY_AND_TIME = /^(.*\S)[ T](\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?$/;

/** A moment; what has no zone is UTC, what has no time the beginning of its day. */
function asMoment(text: string, order: DateOrder | undefined): ValueRead {
  if (ISO_MOMENT.test(text)) return { value: text };
  const [, day = text, hours = '00', minutes = '00', seconds = '00'] = DAY_AND_TIME.exec(text) ?? [];
  const read = readDate(day, order);
  if ('problem' in read) return read;
  return { value: `${read.date}T${hours.padStart(2, '0')}:${minutes}:${seconds}Z` };
}

/** The days of an event: dates, or objects with one. */
function asDays(days: readonly unknown[], order: DateOrder | undefined): ValueRead {
  const read: unknown[] = [];
  for (const day of days) {
    const written = typeof day === 'object' && day !== null && 'date' in day ? day.date : day;
    if (typeof written !== 'string') {
      read.push(day);
      continue;
    }
    const date = readDate(written, order);
    if ('problem' in date) return date;
    read.push(typeof day === 'string' ? { date: date.date } : { ...(day as object), date: date.date });
  }
  return { value: read };
}
