import type { ObjectRef } from '@pothos/core';
import type { ConnectionShape } from '@pothos/plugin-relay';
import type { GraphQLResolveInfo } from 'graphql';
import type { z } from 'zod';
import type { ListOperation } from '../../domain/list.ts';
import type { Operation } from '../../domain/operation.ts';
import type { Page } from '../../domain/page.ts';
import type { GraphQLContext } from '../data/context.ts';
import { projectionFor, readPage } from '../data/read.ts';
import { rootConnection } from '../execution/field-extensions.ts';
import type { InCamelCase } from '../execution/naming.ts';
import type { Projection } from '../execution/projection.ts';
import { RawRecords } from '../execution/raw-json.ts';
import { builder } from './builder.ts';

type SchemaTypes = (typeof builder)['$inferSchemaTypes'];

/** How the schema describes the list of all records of one type. */
interface RootList<Node> {
  /** The name of the field at the root: `members`. */
  readonly name: string;
  /** One of its records, in descriptions: `A member`. */
  readonly one: string;
  /** Several of them: `members`. */
  readonly many: string;
  readonly list: ListOperation<Node>;
  readonly description: string;
  /** The description of the argument `search`. */
  readonly search: string;
}

/** Adds the connection type of a record type, and the root field that lists its records. */
export function addRootList<Node>(
  type: ObjectRef<SchemaTypes, InCamelCase<Node>>,
  { name, one, many, list, description, search }: RootList<Node>,
) {
  const connection = builder.connectionObject(
    { type, name: `${type.name}Connection`, description: `A page of ${many}.` },
    { name: `${type.name}Edge`, description: `${one} in a list.` },
  );
  builder.queryField(name, (t) =>
    t.field({
      type: connection,
      nullable: true,
      description,
      ...rootConnection,
      args: { search: t.arg.string({ description: search }), ...t.arg.connectionArgs() },
      resolve: (_root, args, context, info) => readConnection(context, list, args, info) as never,
    }),
  );
  return connection;
}

/** A page of a list of the domain. */
async function readConnection<Schema extends z.ZodType, Node>(
  context: GraphQLContext,
  list: Operation<Schema, Page<Node>>,
  args: object,
  info: GraphQLResolveInfo,
) {
  const projection = projectionFor(info);
  return toConnection(await readPage(context, list, args, projection), projection);
}

/** A page of the domain as a connection. Fields that may need a statement of their own read it only if selected. */
export function toConnection<Node>(page: Page<Node>, projection: Projection) {
  return new PageConnection(page, projection) as unknown as ConnectionShape<SchemaTypes, Node, false>;
}

class PageConnection<Node> {
  constructor(
    private readonly page: Page<Node>,
    private readonly projection: Projection,
  ) {}

  get edges() {
    const { rawJson } = this.projection;
    return rawJson ? RawRecords.edges(this.page, rawJson) : this.page.edges;
  }

  /** A page has all fields of a page info. */
  get pageInfo() {
    return this.page;
  }
}
