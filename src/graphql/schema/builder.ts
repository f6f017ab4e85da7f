import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import type { FieldType } from '../../domain/form.ts';
import type { Gender } from '../../domain/member.ts';
import type { GraphQLContext } from '../data/context.ts';
import type PrismaTypes from './generated/pothos-types.ts';
import { getDatamodel } from './generated/pothos-types.ts';

/** The schema builder; every type and field is added to it by the file of its entity. */
export const builder = new SchemaBuilder<{
  Context: GraphQLContext;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
  Enums: { Gender: Gender; FieldType: FieldType };
  Scalars: {
    ID: { Input: string; Output: string };
    Date: { Input: string; Output: string };
    DateTime: { Input: string; Output: string | Date };
    JSON: { Input: unknown; Output: unknown };
  };
}>({
  plugins: [PrismaPlugin, RelayPlugin],
  defaultFieldNullability: false,
  prisma: { client: (context) => context.prisma, dmmf: getDatamodel(), exposeDescriptions: false },
  relay: {
    cursorType: 'String',
    idFieldOptions: { description: 'The id of the record, the same as in REST where REST has a string.' },
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodeTypeOptions: { description: 'A record that `node(id:)` finds by its id alone.' },
    nodeFieldOptions: { nullable: false, description: 'The record.' },
    edgesFieldOptions: {
      nullable: { list: false, items: false },
      description: 'The records of this page, in the order of the list, each with its cursor.',
    },
    cursorFieldOptions: {
      description: 'The place of this record in the list; the same string works in REST where REST has the list.',
    },
    pageInfoTypeOptions: { description: 'Where a page lies in its list.' },
    pageInfoFieldOptions: { description: 'Where this page lies in its list.' },
    hasNextPageFieldOptions: { description: 'Whether records follow this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether records precede this page.' },
    startCursorFieldOptions: { description: 'The place of the first record of the page; null when it is empty.' },
    endCursorFieldOptions: {
      description:
        'The place of the last record of the page, what REST gives as `next_cursor` where it has the list; null when it is empty.',
    },
    firstArgOptions: {
      description: 'How many records from the start: an integer from 1; above 100 is 100. Default 25.',
    },
    afterArgOptions: { description: 'Continue after this cursor.' },
    lastArgOptions: { description: 'How many records from the end; not together with `first`.' },
    beforeArgOptions: { description: 'Stop before this cursor. With `after`, only what lies between the two.' },
  },
});

builder.queryType({ description: 'Reads. Each field at the root costs one point of the key’s rate-limit budget.' });
builder.mutationType({ description: 'Writes, carried out one after another in the order given.' });
