import { type GraphQLResolveInfo, locatedError, responsePathAsArray, TypeNameMetaFieldDef } from 'graphql';
import type { Page } from '../../domain/lists/page.ts';
import type { GraphQLContext } from '../data/context.ts';
import { RawJson } from '../data/response-body.ts';
import type { NormalField } from '../document/normal-form.ts';
import type { NestedListPlan, RawJsonPlan } from './projection.ts';

/** A response path: response names and list indexes. */
type PathKeys = readonly (string | number)[];

/** The JSON of a field's records, and the nested lists to insert into it. A resolver returns it instead of parsed records. */
export class RawRecords {
  /**
   * @param pathWithin returns the path of a record, relative to the field.
   * @param joinerOf returns a function that joins the records to the JSON of the field. Called before their nested lists
   *   are read.
   */
  private constructor(
    private readonly records: readonly string[],
    private readonly plan: RawJsonPlan,
    private readonly pathWithin: (index: number, field: NormalField) => PathKeys,
    private readonly joinerOf: (field: NormalField) => (records: readonly string[]) => string,
  ) {}

  /** A single record as JSON. */
  static one(json: string, plan: RawJsonPlan): RawRecords {
    const pathWithin = () => [];
    return new RawRecords([json], plan, pathWithin, () => onlyRecord);
  }

  /** A list of records, each as JSON. */
  static list(records: readonly string[], plan: RawJsonPlan): RawRecords {
    const pathWithin = (index: number) => [index];
    return new RawRecords(records, plan, pathWithin, () => joinList);
  }

  /** The edges of a page: each has its record as `node`, and `cursor` and `__typename` if they are selected. */
  static edges(page: Page<unknown>, plan: RawJsonPlan): RawRecords {
    const pathWithin = (index: number, edges: NormalField) => [index, nodeName(edges)];
    return new RawRecords(page.recordsJson, plan, pathWithin, (edges) => edgeJoiner(edges, page));
  }

  /** The JSON of `field` in the response, with the nested lists of each record inserted. */
  async toRawJson(field: NormalField, path: GraphQLResolveInfo['path'], context: GraphQLContext): Promise<RawJson> {
    const pathOf = (index: number) => [...responsePathAsArray(path), ...this.pathWithin(index, field)];
    const join = this.joinerOf(field);
    return new RawJson(join(await insertNestedLists(this.records, this.plan, pathOf, context)));
  }
}

function onlyRecord([record = '']: readonly string[]): string {
  return record;
}

function joinList(texts: readonly string[]): string {
  return `[${texts.join(',')}]`;
}

function nodeName({ selections }: NormalField): string {
  return selections[0]?.fields.find(({ definition }) => definition.name === 'node')?.responseName ?? '';
}

/** Returns a function that joins the records of a page to edges. */
function edgeJoiner({ selections }: NormalField, page: Page<unknown>): (records: readonly string[]) => string {
  const { type, fields = [] } = selections[0] ?? {};
  const edgeFields = fields.map(({ responseName, definition }, index) => ({
    key: `${index === 0 ? '{' : ','}"${responseName}":`,
    name: definition.name,
    constant: definition === TypeNameMetaFieldDef ? `"${type?.name}"` : undefined,
  }));
  // Encrypts all cursors before nested lists are read, so that `pageInfo` does not encrypt its own again.
  const cursors = edgeFields.some(({ name }) => name === 'cursor') ? page.cursors : [];
  return (records) => {
    let list = '[';
    for (const [index, record] of records.entries()) {
      if (index > 0) list += ',';
      for (const { key, name, constant } of edgeFields) {
        list += key;
        list += constant ?? (name === 'cursor' ? `"${cursors[index]}"` : record);
      }
      list += '}';
    }
    return `${list}]`;
  };
}

/** Replaces the placeholders of nested lists in serialized records. */
async function insertNestedLists(
  records: readonly string[],
  { nestedLists }: RawJsonPlan,
  pathOf: (index: number) => PathKeys,
  context: GraphQLContext,
): Promise<readonly string[]> {
  // Count before joining them, which takes as much memory again.
  context.response.addLeaves(records);
  if (nestedLists.length === 0 || records.length === 0) return records;
  const { parts, ids } = splitAtPlaceholders(records, nestedLists);
  const reads = nestedLists.map((list, at) =>
    readNestedLists(ids[at] as string[], list, (index) => [...pathOf(index), list.field.responseName], context),
  );
  const lists = await Promise.all(reads);
  let part = 0;
  return records.map((_, record) => {
    let text = parts[part++] as string;
    for (const list of lists) text += (list[record] as string) + parts[part++];
    return text;
  });
}

/**
 * Splits records at the placeholders of their nested lists, which are ids.
 *
 * @returns `parts`: those of the first record, then those of the second, for each record one more than it has placeholders
 *   (an array per record would take more memory than its text); `ids`: for each nested list, the id of each record.
 */
function splitAtPlaceholders(records: readonly string[], lists: readonly NestedListPlan[]) {
  // A value cannot match, because its quotes are escaped.
  const keys = lists.map(({ field }) => `"${field.responseName}":"`);
  const ids = lists.map(() => new Array<string>(records.length));
  const parts = new Array<string>(records.length * (lists.length + 1));
  let part = 0;
  for (let index = 0; index < records.length; index += 1) {
    const record = records[index] as string;
    let from = 0;
    for (let at = 0; at < keys.length; at += 1) {
      const key = keys[at] as string;
      const start = record.indexOf(key, from) + key.length;
      // Ids contain no quotes.
      const end = record.indexOf('"', start);
      parts[part++] = record.slice(from, start - 1);
      (ids[at] as string[])[index] = record.slice(start, end);
      from = end + 1;
    }
    parts[part++] = record.slice(from);
  }
  return { parts, ids };
}

/** Reads the nested list of each parent as JSON; `null` for all parents if the lists cannot be read. */
async function readNestedLists(
  parentIds: readonly string[],
  { field, loader, plan }: NestedListPlan,
  pathOf: (parent: number) => PathKeys,
  context: GraphQLContext,
): Promise<readonly string[]> {
  try {
    if (context.abort.reason) throw context.abort.reason;
    const listLoader = context.loaders.get(loader)(plan.fields);
    const lists = await Promise.all(parentIds.map((id) => listLoader.load(id)));
    const pathOfRecord = (at: number) => {
      let [parent, index] = [0, at];
      for (; index >= (lists[parent]?.length ?? Infinity); parent += 1) index -= lists[parent]?.length ?? 0;
      return [...pathOf(parent), index];
    };
    const records = await insertNestedLists(
      lists.flat().map(({ json }) => json),
      plan,
      pathOfRecord,
      context,
    );
    let end = 0;
    return lists.map(({ length }) => {
      end += length;
      return joinList(records.slice(end - length, end));
    });
  } catch (error) {
    for (const parent of parentIds.keys()) {
      context.response.addFieldError(() => locatedError(error, field.nodes, pathOf(parent)));
    }
    return parentIds.map(() => 'null');
  }
}
