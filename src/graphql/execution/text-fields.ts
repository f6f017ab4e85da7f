import {
  extendSchema,
  type GraphQLFieldResolver,
  GraphQLNonNull,
  type GraphQLObjectType,
  GraphQLScalarType,
  type GraphQLSchema,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';
import type { JsonRecord } from '../../domain/json-record.ts';
import type { Page } from '../../domain/page.ts';
import type { GraphQLContext } from '../data/context.ts';
import { dealt } from '../data/group-by-parent.ts';
import { isEdges, plainOf, TEXT_SUFFIX } from './asking-for-text.ts';
import { JsonText } from './json-text.ts';
import { type Field, isLead, type Lead, type PlainEdges, type PlainRecord } from './plain-selection.ts';

/**
 * Of a field whose resolver gives its record, or its list of them, as PostgreSQL wrote it ({@link JsonRecord}): it is
 * parsed only where more is selected than what stands in it.
 */
export const givesText = { givesText: true };

const TextType = new GraphQLScalarType({ name: 'JsonText', serialize: (text) => text });

type Resolver<Parent = unknown> = GraphQLFieldResolver<Parent, GraphQLContext>;

/**
 * The schema that documents are executed by: beside each field that can be asked for as text it has another one for
 * that. Nobody sees it. In the schema that is given, fields that give text parse it from then on.
 */
export function withTextFields(schema: GraphQLSchema): GraphQLSchema {
  const given = new Map<string, Resolver>();
  for (const { type, field } of fieldsOf(schema)) {
    if (!field.extensions.givesText || !field.resolve) continue;
    given.set(`${type.name}.${field.name}`, field.resolve);
    field.resolve = parsed(field.resolve);
  }
  const extended = extendSchema(schema, parse('scalar JsonText'), { assumeValid: true });
  for (const { type, field } of fieldsOf(extended)) {
    const give = given.get(`${type.name}.${field.name}`);
    const resolve = isEdges(type, field) ? edgesAsText : give && asText(give);
    if (!resolve) continue;
    const name = field.name + TEXT_SUFFIX;
    const textType = isNonNullType(field.type) ? new GraphQLNonNull(TextType) : TextType;
    type.getFields()[name] = { ...field, name, type: textType, resolve };
  }
  return extended;
}

function* fieldsOf(schema: GraphQLSchema): Iterable<{ type: GraphQLObjectType; field: Field }> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) yield { type, field };
  }
}

type Given = JsonRecord<unknown> | readonly JsonRecord<unknown>[] | null;

function parsed(give: Resolver): Resolver {
  return async (...args) => {
    const given = (await give(...args)) as Given;
    if (given === null) return null;
    return isList(given) ? given.map((record) => record.parse()) : given.parse();
  };
}

function asText(give: Resolver): Resolver {
  return async (parent, args, context, info) => {
    const given = (await give(parent, args, context, info)) as Given;
    if (given === null) return null;
    const plain = plainOf(info.fieldNodes[0]) as PlainRecord;
    const texts = await withEnds(isList(given) ? given.map(textOf) : [given.json], plain, context);
    return new JsonText(isList(given) ? listOf(texts) : (texts[0] as string));
  };
}

function isList(given: Exclude<Given, null>): given is readonly JsonRecord<unknown>[] {
  return Array.isArray(given);
}

function textOf({ json }: JsonRecord<unknown>): string {
  return json;
}

const edgesAsText: Resolver<{ readonly page: Page<unknown> }> = async ({ page }, _args, context, info) => {
  const plain = plainOf<PlainEdges>(info.fieldNodes[0]) as PlainEdges;
  const nodes = await withEnds(page.rows, plain, context);
  const edges = nodes.map((node, index) => {
    let edge = '';
    for (const { label, is } of plain.parts) {
      edge += label;
      if (is === 'node') edge += node;
      else edge += is === 'cursor' ? `"${page.cursorAt(index)}"` : is.text;
    }
    return `${edge}}`;
  });
  return new JsonText(listOf(edges));
};

/** Put together with +, which writes nothing: the whole answer is written once. */
function listOf([first = '', ...others]: readonly string[]): string {
  return `${others.reduce((text, other) => `${text},${other}`, `[${first}`)}]`;
}

/** Records with what comes after their columns. */
async function withEnds(
  rows: readonly string[],
  { ends }: PlainRecord,
  context: GraphQLContext,
): Promise<readonly string[]> {
  if (ends.length === 0) return rows;
  const columns = await Promise.all(ends.map((end) => (isLead(end) ? listsFrom(rows, end, context) : end.text)));
  const labelled = ends.map(({ label }, index) => ({ label, column: columns[index] as string | readonly string[] }));
  return rows.map((json, row) => {
    let text = json.slice(0, -1);
    for (const { label, column } of labelled) text += label + (typeof column === 'string' ? column : column[row]);
    return `${text}}`;
  });
}

/** The text of the list to which each record leads. */
async function listsFrom(rows: readonly string[], { lists, to, id }: Lead, context: GraphQLContext): Promise<string[]> {
  const ids = idsIn(rows, id);
  const found = await lists(context).loadMany(ids, to.fields);
  return dealt(await withEnds(found.flat().map(textOf), to, context), found).map(listOf);
}

/** Nothing in a value looks like a name: its quotes are escaped. And an id has none. */
function idsIn(rows: readonly string[], name: string): string[] {
  const before = `"${name}":"`;
  return rows.map((json) => {
    const start = json.indexOf(before) + before.length;
    return json.slice(start, json.indexOf('"', start));
  });
}
