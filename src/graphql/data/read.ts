import type { GraphQLResolveInfo } from 'graphql';
import type { z } from 'zod';
import type { Context } from '../../domain/context.ts';
import type { JsonRecord } from '../../domain/json-record.ts';
import type { Operation } from '../../domain/operation.ts';
import type { Page } from '../../domain/page.ts';
import { toConnection } from '../schema/connection.ts';
import type { InCamelCase } from './camel-case.ts';
import { call } from './run-operation.ts';
import { asksForMore, selectedFields } from './selection.ts';

/** A list of the domain as a connection: of its records, what is selected. */
export async function readConnection<Schema extends z.ZodType, Node>(
  context: { readonly domain: Context },
  list: Operation<Schema, Page<Node>>,
  args: object,
  info: GraphQLResolveInfo,
) {
  const page = await call(context, list, windowOf(args, info), selectedFields(info));
  return toConnection(page as unknown as Page<InCamelCase<Node>>);
}

/** The window of a list of the domain that a connection's arguments mean. */
export function windowOf<Args extends object>(args: Args, info: GraphQLResolveInfo) {
  return { ...args, lookahead: asksForMore(info) };
}

/** A record of the domain: of its fields, those that are selected. */
export async function readRecord<Schema extends z.ZodType, Node>(
  context: { readonly domain: Context },
  get: Operation<Schema, JsonRecord<Node>>,
  input: unknown,
  info: GraphQLResolveInfo,
): Promise<InCamelCase<Node>> {
  const record = await call(context, get, input, selectedFields(info));
  return asParsed(record as unknown as JsonRecord<InCamelCase<Node>>);
}

/** Records of the domain as a list. */
export async function recordsAsText<Node>(records: Promise<JsonRecord<Node>[]>): Promise<Node[]> {
  return (await records).map(asParsed);
}

/** What a resolver says it gives is what comes of the text, see {@link givesText}. */
function asParsed<Node>(record: JsonRecord<Node>): Node {
  return record as unknown as Node;
}
