import type { ObjectFieldBuilder, ObjectRef } from '@pothos/core';
import type { ConnectionShape } from '@pothos/plugin-relay';
import type { GraphQLResolveInfo } from 'graphql';
import type { z } from 'zod';
import { MAX_COUNTED_RECORDS } from '../../domain/core/limits.ts';
import type { Operation } from '../../domain/core/operation.ts';
import type { Page } from '../../domain/lists/page.ts';
import type { GraphQLContext } from '../data/context.ts';
import { extensions } from '../data/field-extensions.ts';
import type { LoaderFactory, PageLoader } from '../data/loaders.ts';
import { runOperation } from '../data/run-operation.ts';
import type { InCamelCase } from '../naming.ts';
import type { Projection } from '../raw-json/projection.ts';
import { RawRecords } from '../raw-json/raw-records.ts';
import { projectionFor } from '../raw-json/read.ts';
import type { SchemaTypes } from './builder.ts';

/** The fields of a connection of records of this type, in addition to `edges` and `pageInfo`. */
export function connectionFields<Node>(type: ObjectRef<SchemaTypes, Node>) {
  return (t: ObjectFieldBuilder<SchemaTypes, ConnectionShape<SchemaTypes, Node, false>>) => ({
    nodes: t.field({
      type: [type],
      description: 'The records of the page in list order, without cursors.',
      resolve: (connection) => (connection as unknown as PageConnection<Node>).nodes as never,
    }),
    totalCount: t.int({
      nullable: true,
      description: `The number of records of the whole list that match the search and the filter, up to ${MAX_COUNTED_RECORDS.toLocaleString('en-US')}; null if there are more. Costs one point per selection.`,
      ...extensions({ size: { records: 0, cost: 1 } }),
      resolve: (connection) => (connection as unknown as PageConnection<Node>).count(),
    }),
  });
}

/**
 * Resolves a root field that lists records.
 *
 * @param args the input of the list, with the page arguments of the field.
 */
export async function readConnection<Schema extends z.ZodType, Node>(
  context: GraphQLContext,
  list: Operation<Schema, Page<Node>>,
  args: object,
  info: GraphQLResolveInfo,
) {
  const projection = projectionFor(info);
  const page = await runOperation(context, list, args, projection.fields);
  return toConnection(page as unknown as Page<InCamelCase<Node>>, projection);
}

/**
 * Resolves the nested connection of a parent.
 *
 * @param loader the loader of the connection's pages.
 */
export async function readNestedConnection<ParentId, Node>(
  { loaders }: GraphQLContext,
  loader: LoaderFactory<PageLoader<ParentId, Node>>,
  parentId: ParentId,
  args: object,
  info: GraphQLResolveInfo,
) {
  const projection = projectionFor(info);
  return toConnection(await loaders.get(loader)(parentId, args, projection.fields), projection);
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
    const { rawJsonPlan } = this.projection;
    if (rawJsonPlan) return RawRecords.edges(this.page, rawJsonPlan);
    const { records, cursors } = this.page;
    return records.map((node, index) => ({ node, cursor: cursors[index] }));
  }

  get nodes() {
    const { rawJsonPlan } = this.projection;
    return rawJsonPlan ? RawRecords.list(this.page.recordsJson, rawJsonPlan) : this.page.records;
  }

  count(): Promise<number | null> {
    return this.page.count();
  }

  /** A page has all fields of `PageInfo`. */
  get pageInfo() {
    return this.page;
  }
}
