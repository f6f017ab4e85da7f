import { randomUUID } from 'node:crypto';
import { TypeNameMetaFieldDef } from 'graphql';
import type { JsonRecord } from '../../domain/json-record.ts';
import type { Page } from '../../domain/page.ts';
import type { ResponsePath } from './field-error.ts';
import type { NormalField } from './normal-form.ts';
import type { RawList, RawRecord } from './projection.ts';

/** Serialized JSON that is inserted into the response unchanged. */
export class RawJson {
  constructor(readonly text: string) {}

  toJSON(): string {
    inserted.push(this.text);
    return PLACEHOLDER;
  }
}

/** Random placeholder, so that data cannot collide with it. */
const PLACEHOLDER = randomUUID();

let inserted: string[] = [];

function rawJson(text: string, host: RawJsonHost): RawJson {
  host.addCharacters(text.length);
  return new RawJson(text);
}

/** A value as JSON, with each {@link RawJson} in it as it is. */
export function stringify(value: object): string {
  inserted = [];
  const [start = '', ...rest] = JSON.stringify(value).split(`"${PLACEHOLDER}"`);
  // V8 concatenates lazily: the string is flattened once, when it is sent.
  return rest.reduce((text, part, index) => text + inserted[index] + part, start);
}

/** What raw JSON needs of the execution that it is a part of. */
export interface RawJsonHost {
  readonly contextValue: unknown;
  /** Counts what is written. @throws once it is more than a response may have. */
  addCharacters(count: number): void;
  /** Throws once the operation was given up: no further list is read. */
  throwIfAborted(): void;
  /** Reports that a nested list could not be read; in the response it is null. */
  fail(field: NormalField, path: () => ResponsePath, error: unknown): void;
}

/** What a resolver returns in place of records whose whole selection PostgreSQL wrote. */
export abstract class RawRecords {
  constructor(protected readonly record: RawRecord) {}

  /** The value of `field` in the response, with the nested lists of each record. */
  abstract toRawJson(field: NormalField, path: () => ResponsePath, host: RawJsonHost): MaybePromise<RawJson>;
}

/** One record. */
export class RawRecordValue extends RawRecords {
  constructor(
    private readonly value: JsonRecord<unknown>,
    record: RawRecord,
  ) {
    super(record);
  }

  override toRawJson(_field: NormalField, path: () => ResponsePath, host: RawJsonHost): MaybePromise<RawJson> {
    return andThen(withLists([this.value.json], this.record, path, host), ([text = '']) => rawJson(text, host));
  }
}

/** A list of records. */
export class RawRecordList extends RawRecords {
  constructor(
    private readonly list: readonly JsonRecord<unknown>[],
    record: RawRecord,
  ) {
    super(record);
  }

  override toRawJson(_field: NormalField, path: () => ResponsePath, host: RawJsonHost): MaybePromise<RawJson> {
    const pathOf = (index: number) => [...path(), index];
    return andThen(withLists(this.list.map(textOf), this.record, pathOf, host), (texts) =>
      rawJson(listText(texts), host),
    );
  }
}

/** The edges of a connection: one `node` each, cursors and `__typename`. */
export class RawEdges extends RawRecords {
  constructor(
    private readonly page: Page<unknown>,
    record: RawRecord,
  ) {
    super(record);
  }

  override toRawJson(edges: NormalField, path: () => ResponsePath, host: RawJsonHost): MaybePromise<RawJson> {
    const { type, fields = [] } = edges.selections[0] ?? {};
    const node = fields.find(({ definition }) => definition.name === 'node')?.responseName ?? '';
    const parts = fields.map(({ responseName, definition }, index) => ({
      label: `${index === 0 ? '{' : ','}"${responseName}":`,
      name: definition.name,
      text: definition === TypeNameMetaFieldDef ? `"${type?.name}"` : undefined,
    }));
    const edgeText = (json: string, index: number) => {
      let edge = '';
      for (const { label, name, text } of parts) {
        edge += label;
        edge += text ?? (name === 'cursor' ? `"${this.page.cursorAt(index)}"` : json);
      }
      return `${edge}}`;
    };
    const pathOfNode = (index: number) => [...path(), index, node];
    return andThen(withLists(this.page.rows, this.record, pathOfNode, host), (nodes) =>
      rawJson(listText(nodes.map(edgeText)), host),
    );
  }
}

type MaybePromise<Value> = Value | Promise<Value>;

function andThen<Value, Result>(value: MaybePromise<Value>, use: (value: Value) => Result): MaybePromise<Result> {
  return value instanceof Promise ? value.then(use) : use(value);
}

function textOf({ json }: JsonRecord<unknown>): string {
  return json;
}

function listText(texts: readonly string[]): string {
  let list = '[';
  for (let at = 0; at < texts.length; at += 1) list += at === 0 ? texts[at] : `,${texts[at]}`;
  return `${list}]`;
}

/** Records whose ids, where they stand for nested lists, are replaced by these. */
function withLists(
  rows: readonly string[],
  { lists }: RawRecord,
  pathOf: (index: number) => ResponsePath,
  host: RawJsonHost,
): MaybePromise<readonly string[]> {
  return lists.length === 0 || rows.length === 0 ? rows : insertLists(rows, lists, pathOf, host);
}

async function insertLists(
  rows: readonly string[],
  lists: readonly RawList[],
  pathOf: (index: number) => ResponsePath,
  host: RawJsonHost,
): Promise<readonly string[]> {
  const split = rows.map((row) => splitAtLists(row, lists));
  const texts = await Promise.all(
    lists.map((list, at) => {
      const ids = split.map((row) => row.ids[at] as string);
      return listTexts(ids, list, (index) => [...pathOf(index), list.field.responseName], host);
    }),
  );
  return split.map(({ parts }, row) => {
    let text = parts[0] as string;
    for (let at = 0; at < lists.length; at += 1) text += (texts[at]?.[row] as string) + parts[at + 1];
    return text;
  });
}

/** A row apart from the ids that stand in it for lists: one part more than ids. */
function splitAtLists(row: string, lists: readonly RawList[]): { parts: string[]; ids: string[] } {
  const parts: string[] = [];
  const ids: string[] = [];
  let from = 0;
  for (const { field } of lists) {
    // Quotes in values are escaped, so this is the key and no value; and an id has no quotes.
    const key = `"${field.responseName}":"`;
    const start = row.indexOf(key, from) + key.length;
    const end = row.indexOf('"', start);
    parts.push(row.slice(from, start - 1));
    ids.push(row.slice(start, end));
    from = end + 1;
  }
  parts.push(row.slice(from));
  return { parts, ids };
}

/** The text of each record's list; `null` for all of them where they could not be read. */
async function listTexts(
  ids: readonly string[],
  { field, loader, record }: RawList,
  pathOf: (index: number) => ResponsePath,
  host: RawJsonHost,
): Promise<readonly string[]> {
  try {
    host.throwIfAborted();
    const found = await loader(host.contextValue as never).loadMany(ids, record.fields);
    const pathOfRecord = (at: number) => {
      let [owner, index] = [0, at];
      for (; index >= (found[owner]?.length ?? Infinity); owner += 1) index -= found[owner]?.length ?? 0;
      return [...pathOf(owner), index];
    };
    const texts = await withLists(found.flat().map(textOf), record, pathOfRecord, host);
    let next = 0;
    return found.map(({ length }) => {
      next += length;
      return listText(texts.slice(next - length, next));
    });
  } catch (error) {
    for (const index of ids.keys()) host.fail(field, () => pathOf(index), error);
    return ids.map(() => 'null');
  }
}
