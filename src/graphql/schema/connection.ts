import type { ObjectRef } from '@pothos/core';
import type { ConnectionShape } from '@pothos/plugin-relay';
import type { GraphQLResolveInfo } from 'graphql';
import type { z } from 'zod';
import type { ListOperation } from '../../domain/list.ts';
import type { Operation } from '../../domain/operation.ts';
import type { Page, Window } from '../../domain/page.ts';
import type { GraphQLContext } from '../data/context.ts';
import { pageArguments, projectionFor, readPage } from '../data/read.ts';
import { rootConnection } from '../execution/field-extensions.ts';
import type { InCamelCase } from '../execution/naming.ts';
import type { Projection } from '../execution/projection.ts';
import { RawRecords } from '../execution/raw-json.ts';
import { builder, type SchemaTypes } from './builder.ts';

/** Describes the root field that lists all records of one type. */
interface RootList<Node> {
  /** The name of the root field: `members`. */
  readonly name: string;
  /** A single record, for descriptions: `A member`. */
  readonly one: string;
  /** Several records, for descriptions: `members`. */
  readonly many: string;
  readonly list: ListOperation<Node>;
  readonly description: string;
  /** The description of the `search` argument. */
  readonly search: string;
}

/**
 * Adds the root field that lists the records of a type, and the connection type of the list.
 *
 * @returns the connection type, for nested connections of the same records.
 */
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

/** Resolves a root field that lists records. */
async function readConnection<Schema extends z.ZodType, Node>(
  context: GraphQLContext,
  list: Operation<Schema, Page<Node>>,
  args: object,
  info: GraphQLResolveInfo,
) {
  const projection = projectionFor(info);
  return toConnection(await readPage(context, list, args, projection), projection);
}

/**
 * Resolves the nested connection of a parent.
 *
 * @param load the loader of the connection's pages.
 */
export async function readNestedConnection<ParentId, Node>(
  load: (parentId: ParentId, page: Window, fields: Projection['fields']) => Promise<Page<Node>>,
  parentId: ParentId,
  args: object,
  info: GraphQLResolveInfo,
) {
  const projection = projectionFor(info);
  return toConnection(await load(parentId, pageArguments(args, projection), projection.fields), projection);
}

function toConnection<Node>(page: Page<Node>, projection: Projection) {
  return new PageConnection(page, projection) as unknown as ConnectionShape<SchemaTypes, Node, false>;
}

/** A page as a connection. Its fields are getters, so that only selected fields are parsed or read. */
class PageConnection<Node> {
  constructor(
    private readonly page: Page<Node>,
    private readonly projection: Projection,
  ) {}

  get edges() {
    const { rawJson } = this.projection;
    return rawJson ? RawRecords.edges(this.page, rawJson) : this.page.edges;
  }

  /** A page has all fields of `PageInfo`. */
  get pageInfo() {
    return this.page;
  }
}
