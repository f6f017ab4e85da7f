import type { ConnectionShape } from '@pothos/plugin-relay';
import type { GraphQLResolveInfo } from 'graphql';
import type { z } from 'zod';
import type { Operation } from '../../domain/operation.ts';
import type { Page } from '../../domain/page.ts';
import type { GraphQLContext } from '../data/context.ts';
import { projectionFor, readPage } from '../data/read.ts';
import type { Projection } from '../execution/projection.ts';
import { RawEdges } from '../execution/raw-json.ts';
import type { builder } from './builder.ts';

type SchemaTypes = (typeof builder)['$inferSchemaTypes'];

/** Resolves a connection at the root: a list of the domain. */
export async function readConnection<Schema extends z.ZodType, Node>(
  context: GraphQLContext,
  list: Operation<Schema, Page<Node>>,
  args: object,
  info: GraphQLResolveInfo,
) {
  const projection = projectionFor(info);
  return toConnection(await readPage(context, list, args, projection), projection);
}

/** A page of the domain as a connection. What may need a statement of its own is read only where it is selected. */
export function toConnection<Node>(page: Page<Node>, projection: Projection) {
  return new PageConnection(page, projection) as unknown as ConnectionShape<SchemaTypes, Node, false>;
}

class PageConnection<Node> {
  constructor(
    private readonly page: Page<Node>,
    private readonly projection: Projection,
  ) {}

  get edges() {
    const { raw } = this.projection;
    return raw ? new RawEdges(this.page, raw) : this.page.edges;
  }

  /** A page has all fields of a page info. */
  get pageInfo() {
    return this.page;
  }
}
