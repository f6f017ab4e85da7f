import { type GraphQLNamedType, type GraphQLResolveInfo, getNamedType, isObjectType } from 'graphql';
import type { z } from 'zod';
import type { Context } from '../../domain/core/context.ts';
import type { Operation } from '../../domain/core/operation.ts';
import type { JsonRecord } from '../../domain/records/json-record.ts';
import type { ListLoader, RecordLoader } from '../data/loaders.ts';
import { runOperation } from '../data/run-operation.ts';
import type { InCamelCase } from '../naming.ts';
import { normalFieldOf } from './executable.ts';
import { columnsOf, type Projection, projectionOf, wholeRecord } from './projection.ts';
import { RawRecords } from './raw-records.ts';

/**
 * The projection of a field: the selected columns, or all columns if the document was not built by `executableDocument`,
 * as in `test/graphql/reference`.
 */
export function projectionFor(info: GraphQLResolveInfo): Projection {
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
  context: { readonly domain: Context },
  get: Operation<Schema, JsonRecord<Node>>,
  input: unknown,
  info: GraphQLResolveInfo,
): Promise<InCamelCase<Node>> {
  const { fields, rawJsonPlan } = projectionFor(info);
  const record = (await runOperation(context, get, input, fields)) as unknown as JsonRecord<InCamelCase<Node>>;
  // The schema types resolvers as returning records; its raw leaf accepts raw records.
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
  const records = await loader.load(id, fields);
  if (!rawJsonPlan) return records.map((record) => record.parse());
  const json = records.map((record) => record.json);
  return RawRecords.list(json, rawJsonPlan) as never;
}
