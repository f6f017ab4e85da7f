import { nth } from '../../support/seeded-random.ts';
import {
  type Expectation,
  expectationsOf,
  inventPeople,
  type Person,
  TAGS,
  UNKNOWN_TAG,
  type Vocabulary,
} from './people.ts';

/** How a system exports people. */
export interface ExportedSystem {
  /** The name of its mapping file, without extension. */
  readonly name: string;
  readonly country: string;
  /** Columns that the church added, with their fields. */
  readonly customColumns: Readonly<Record<string, string>>;
  readonly vocabulary: Vocabulary;
  readonly format: FileFormat;
  /** The names of all columns, separated by semicolons. */
  readonly header: string;
  /** The columns that are not always empty. */
  readonly cells: Readonly<Record<string, (person: Person) => string>>;
  /** The fields of the member that a person becomes. */
  memberOf(person: Person): Readonly<Record<string, unknown>>;
}

interface FileFormat {
  readonly delimiter: string;
  readonly lineEnd: string;
  readonly byteOrderMark?: boolean;
  readonly quotesAll?: boolean;
  /** Each line, also the header, ends with a delimiter. */
  readonly trailingDelimiter?: boolean;
  /** As saved by a spreadsheet program: rows of empty cells, and rows without their empty last cells. */
  readonly fromSpreadsheet?: boolean;
}

/** The files of an invented church, and what an import must do with them. */
export interface ChurchExport {
  readonly designations: string;
  readonly tags: string;
  readonly members: string;
  readonly rows: readonly { readonly person: Person; readonly line: number; readonly expected: Expectation }[];
}

/** Exports an invented church. @param count the approximate number of people. */
export function exportChurch(system: ExportedSystem, count: number): ChurchExport {
  const people = inventPeople(system.vocabulary, `${system.name}.example.org`, count);
  const { text, lines } = formatFile(system, people);
  const expectations = expectationsOf(people, lines);
  return {
    designations: `Name\n${system.vocabulary.designations.join('\n')}\n`,
    tags: `Name\n${TAGS.map((tag) => `"${tag}"`).join('\n')}\n`,
    members: text,
    rows: people.map((person, at) => ({
      person,
      line: lines[at] as number,
      expected: expectations[at] as Expectation,
    })),
  };
}

function formatFile({ format, header, cells }: ExportedSystem, people: readonly Person[]) {
  const columns = header.split(';');
  const formatRow = (cells: readonly string[]) => {
    const quoted = cells.map((cell) =>
      format.quotesAll || /["\n,;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
    );
    return quoted.join(format.delimiter) + (format.trailingDelimiter ? format.delimiter : '') + format.lineEnd;
  };
  let text = formatRow(columns);
  let line = 2;
  const lines: number[] = [];
  const add = (row: string) => {
    text += row;
    line += row.split('\n').length - 1;
  };
  for (const [at, person] of people.entries()) {
    if (format.fromSpreadsheet && at % 25 === 24) add(formatRow(columns.map(() => '')));
    const row = columns.map((column) => cells[column]?.(person) ?? '');
    const filled = row.findLastIndex((cell) => cell !== '') + 1;
    lines.push(line);
    add(formatRow(format.fromSpreadsheet && at % 4 === 1 ? row.slice(0, filled) : row));
  }
  return { text: (format.byteOrderMark ? '\ufeff' : '') + text, lines };
}

/** What systems and spreadsheets write for a missing value. */
const MISSING = ['', '', '', '', '', '', '', 'NULL', 'N/A', '#N/A'];

/** A cell of an optional value. */
export function optionalCell(person: Person, value: string | undefined): string {
  return value ?? nth(MISSING, person.id);
}

/** A cell with the tags of a person. */
export function tagsCell({ tags, hasInvalidCells }: Person): string {
  return [...tags, ...(hasInvalidCells ? [UNKNOWN_TAG] : [])].join(', ');
}

/** The slugs of a person's tags. */
export function tagSlugs({ tags }: Person): string[] {
  return tags.map((tag) => (tag === 'Welcome, Café' ? 'welcome-cafe' : tag.toLowerCase()));
}

/** The birthday of a person as YYYY-MM-DD. */
export function isoBirthday({ birthday }: Person): string | null {
  if (!birthday) return null;
  return [birthday.year, birthday.month, birthday.day].map((part) => String(part).padStart(2, '0')).join('-');
}
