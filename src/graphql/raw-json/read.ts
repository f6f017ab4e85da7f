import { type GraphQLNamedType, type GraphQLResolveInfo, getNamedType, isObjectType } from 'graphql';
import type { z } from 'zod';
import type { Context } from '../../domain/core/context.ts';
import type { Operation } from '../../domain/core/operation.ts';
import type { Page } from '../../domain/lists/page.ts';
import type { JsonRecord } from '../../domain/records/records.ts';
import type { GraphQLContext } from '../data/context.ts';
import type { ListLoader, LoaderFactory, PageLoader, RecordLoader } from '../data/loaders.ts';
import { runOperation } from '../data/run-operation.ts';
import type { InCamelCase } from '../naming.ts';
import { normalFieldOf } from './executable.ts';
import { columnsOf, type Projection, projectionOf, wholeRecord } from './projection.ts';
import { RawRecords } from './raw-records.ts';

/**
 * The projection of a field: the selected columns, or all columns if the document was not built by `executableDocument`,
 * as in `test/graphql/reference`.
 */
function projectionFor(info: GraphQLResolveInfo): Projection {
  const field = normalFieldOf(info);
  if (field) return projectionOf(field);
  const type = getNamedType(info.returnType);
  if (!isObjectType(type)) throw new TypeError(`${type.name} has no columns`);
  return wholeRecord(type);
}

/**
 * Reads a single record with the fields that `info` selects.
 *
 * @throws {ServiceError} the errors of the operation, such as `not_found`.
 */
export async function readRecord<Schema extends z.ZodType, Node>(
  { domainContext }: { readonly domainContext: Context },
  get: Operation<Schema, JsonRecord<Node>>,
  input: unknown,
  info: GraphQLResolveInfo,
): Promise<InCamelCase<Node>> {
  const { fields, rawJsonPlan } = projectionFor(info);
  const record = (await runOperation(domainContext, get, input, fields)) as unknown as JsonRecord<InCamelCase<Node>>;
  // Here and below: the schema types resolvers as returning parsed records; its raw leaves accept raw records.
  return rawJsonPlan ? (RawRecords.one(record.json, rawJsonPlan) as never) : record.parse();
}

/**
 * Loads a record by id, with the fields that `info` selects.
 *
 * @param type the type of the record, if the field returns an interface.
 * @returns null if the record does not exist.
 */
export async function loadRecord<Id, Node>(
  loader: RecordLoader<Id, Node>,
  id: Id,
  info: GraphQLResolveInfo,
  type: GraphQLNamedType | undefined = getNamedType(info.returnType),
): Promise<Node | null> {
  if (!isObjectType(type)) throw new TypeError(`${type?.name} has no columns`);
  const selection = normalFieldOf(info)?.selections.find((selected) => selected.type.name === type.name);
  const fields = selection ? columnsOf(selection) : wholeRecord(type).fields;
  return (await loader.load(id, fields)) ?? null;
}

/** Loads the list of records of a parent, with the fields that `info` selects. */
export async function readRecords<Node>(
  loader: ListLoader<Node>,
  id: string,
  info: GraphQLResolveInfo,
): Promise<Node[]> {
  const { fields, rawJsonPlan } = projectionFor(info);
  const records = await loader(fields).load(id);
  if (!rawJsonPlan) return records.map((record) => record.parse());
  const json = records.map((record) => record.json);
  return RawRecords.list(json, rawJsonPlan) as never;
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
): Promise<never> {
  const projection = projectionFor(info);
  const page = await runOperation(context.domainContext, list, args, projection.fields);
  return new PageConnection(page as unknown as Page<InCamelCase<Node>>, projection) as never;
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
): Promise<never> {
  const projection = projectionFor(info);
  return new PageConnection(await loaders.get(loader)(args)(projection.fields).load(parentId), projection) as never;
}

/** A page as a connection. Its fields are getters, so that only selected fields are parsed or read. */
export class PageConnection<Node> {
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
