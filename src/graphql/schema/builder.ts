import SchemaBuilder, { type ObjectRef } from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import { DEFAULT_PAGE_SIZE } from '../../domain/lists/page.ts';
import type { GraphQLContext } from '../data/context.ts';
import type PrismaTypes from './generated/pothos-types.ts';
import { getDatamodel } from './generated/pothos-types.ts';

/** The Pothos schema builder. The file of each entity adds its types and fields to it. */
export const builder = new SchemaBuilder<{
  Context: GraphQLContext;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    Date: { Input: string; Output: string };
    DateTime: { Input: string; Output: string | Date };
    LocalTime: { Input: string; Output: string };
    JSON: { Input: unknown; Output: unknown };
  };
}>({
  plugins: [PrismaPlugin, RelayPlugin],
  defaultFieldNullability: false,
  prisma: { client: (context) => context.store.prisma, dmmf: getDatamodel(), exposeDescriptions: false },
  relay: {
    cursorType: 'String',
    idFieldOptions: { description: 'The id of the record; the same as in REST if the REST id is a string.' },
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodeTypeOptions: { description: 'A record that can be fetched by id with `node(id:)`.' },
    nodeFieldOptions: { nullable: false, description: 'The record.' },
    edgesFieldOptions: {
      nullable: { list: false, items: false },
      description: 'The records of the page in list order, each with its cursor.',
    },
    cursorFieldOptions: {
      description: 'The position of the record in the list. If REST has the same list, it accepts this cursor too.',
    },
    pageInfoTypeOptions: { description: 'The position of a page in its list.' },
    pageInfoFieldOptions: {
      description: 'Whether the list has records before and after the page, and the cursors of the page.',
    },
    hasNextPageFieldOptions: { description: 'Whether the list has records after this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether the list has records before this page.' },
    startCursorFieldOptions: { description: 'The cursor of the first record of the page; null if the page is empty.' },
    endCursorFieldOptions: {
      description:
        'The cursor of the last record of the page; null if the page is empty. If REST has the same list, it accepts this cursor too.',
    },
    firstArgOptions: {
      description: `The number of records from the start of the list: an integer of at least 1; ${DEFAULT_PAGE_SIZE} by default, unless \`last\` is set. Values above 100 are treated as 100.`,
    },
    afterArgOptions: { description: 'Returns only records after this cursor.' },
    lastArgOptions: { description: 'The number of records from the end of the list; cannot be combined with `first`.' },
    beforeArgOptions: { description: 'Returns only records before this cursor.' },
  },
});

/** The type parameters of {@link builder}, for functions that take its field builders or types. */
export type SchemaTypes = (typeof builder)['$inferSchemaTypes'];

const objectRefs = new Map<string, ObjectRef<SchemaTypes, unknown>>();

/** Returns a reference to the object type with this name, even before the type is added. */
export function objectRef<Shape>(name: string): ObjectRef<SchemaTypes, Shape> {
  const ref = objectRefs.get(name) ?? builder.objectRef<unknown>(name);
  objectRefs.set(name, ref);
  return ref as ObjectRef<SchemaTypes, Shape>;
}

builder.queryType({ description: 'Reads. Each root field costs one point of the key’s rate limit.' });
builder.subscriptionType({
  description:
    'Streams of Server-Sent Events. A stream costs one point when it starts and one each minute; every 100 of its changes cost as much as a page of the query.',
});
builder.mutationType({
  description:
    'Writes, executed serially in the order of the operation. Each root field costs one point of the key’s rate limit.',
});

builder.scalarType('DateTime', {
  description: 'A date and time in UTC: ISO 8601 with milliseconds, for example `2026-01-31T09:30:00.000Z`.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (value) => (value instanceof Date ? value.toISOString() : String(value)),
});

builder.scalarType('Date', {
  description: 'A calendar date, `YYYY-MM-DD`.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/local-date.html',
  serialize: String,
});

builder.scalarType('LocalTime', {
  description:
    'A time of day without a time zone, on a 24-hour clock: `HH:mm`, `HH:mm:ss` or `HH:mm:ss.SSS`, for example `09:30`.',
  specifiedByURL: 'https://the-guild.dev/graphql/scalars/docs/scalars/local-time',
  serialize: String,
});

builder.scalarType('JSON', {
  description: 'A JSON value. The description of each field specifies its structure.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
});
