import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  type ExecutionResult,
  executeSync,
  type GraphQLField,
  type GraphQLFieldConfig,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  GraphQLScalarType,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { memoize } from '../../domain/core/memoize.ts';
import type { GraphQLContext } from '../data/context.ts';
import type { FieldExtensions } from '../operation/field-extensions.ts';
import type { NormalField } from '../operation/normal-form.ts';
import { introspectionNodeOf, normalFieldOf } from './executable-document.ts';
import { rawFieldName } from './plan.ts';
import { RawJson } from './raw-json.ts';
import { RawRecords } from './raw-records.ts';

type FieldConfig = GraphQLFieldConfig<unknown, GraphQLContext>;

/** A value that is already JSON: `RawJson`. */
const RawJsonScalar = new GraphQLScalarType({ name: 'RawJson', serialize: (value) => value });

/**
 * Adds a leaf beside each field whose records PostgreSQL can serialize. The leaf has the arguments and the resolver of the
 * field, and its value is the JSON of the whole selection. `__schema` and `__type` also have a leaf, which describes the
 * public schema: it has no leaves.
 *
 * The root field of a subscription is a list here, so that the operation is executed for several events at once; the root
 * value is this list.
 */
export const executableSchema = memoize(
  (schema: GraphQLSchema): GraphQLSchema =>
    mapSchema(schema, {
      [MapperKind.QUERY]: (type) =>
        withFields(type, {
          ...rawFieldsOf(type),
          [rawFieldName(SchemaMetaFieldDef.name)]: introspectionField(SchemaMetaFieldDef, schema),
          [rawFieldName(TypeMetaFieldDef.name)]: introspectionField(TypeMetaFieldDef, schema),
        }),
      [MapperKind.OBJECT_TYPE]: (type) => withFields(type, rawFieldsOf(type)),
      [MapperKind.SUBSCRIPTION_ROOT_FIELD]: ({ type, args = {} }: FieldConfig) => ({
        type: new GraphQLNonNull(new GraphQLList(type)),
        args,
        resolve: (events: unknown) => events,
      }),
    }),
);

function withFields(type: GraphQLObjectType, added: Record<string, FieldConfig>): GraphQLObjectType {
  const { fields, ...config } = type.toConfig();
  return new GraphQLObjectType({ ...config, fields: { ...fields, ...added } });
}

function rawFieldsOf(type: GraphQLObjectType): Record<string, FieldConfig> {
  const fields = Object.entries(type.toConfig().fields).filter(([name, field]) => isRaw(type, name, field));
  return Object.fromEntries(fields.map(([name, field]) => [rawFieldName(name), rawField(name, field)]));
}

function isRaw({ name: typeName }: GraphQLObjectType, name: string, { extensions }: FieldConfig): boolean {
  if (typeName.endsWith('Connection')) return name === 'edges' || name === 'nodes';
  return (extensions as FieldExtensions | undefined)?.rawJson === true;
}

function rawField(name: string, { type, args, resolve }: FieldConfig): FieldConfig {
  return {
    type: rawTypeOf(type),
    ...(args && { args }),
    resolve: async (source, values, context, info) => {
      const field = normalFieldOf(info);
      const records: unknown = resolve
        ? await resolve(source, values, context, info)
        : (source as Record<string, unknown>)[name];
      if (records == null) return records;
      if (!(records instanceof RawRecords && field)) throw new TypeError(`${name} was not read as JSON`);
      return records.toRawJson(field, info.path, context);
    },
  };
}

function rawTypeOf(type: GraphQLOutputType): GraphQLOutputType {
  return isNonNullType(type) ? new GraphQLNonNull(RawJsonScalar) : RawJsonScalar;
}

function introspectionField({ type, args }: GraphQLField<unknown, unknown>, schema: GraphQLSchema): FieldConfig {
  return {
    type: rawTypeOf(type),
    args: Object.fromEntries(args.map((argument) => [argument.name, argument])),
    resolve: (_source, _args, context, info) => {
      const field = normalFieldOf(info) as NormalField;
      const { data, errors: [first, ...others] = [] } = introspect(schema, field, info);
      const value = data?.[field.responseName] ?? null;
      for (const error of others) context.size.addFieldError(() => error);
      if (first && value === null) throw first;
      if (first) context.size.addFieldError(() => first);
      return value;
    },
  };
}

/** The maximum length of all cached results: about 20 results of the standard query, of 200,000 characters each. */
const MAX_CACHED_CHARACTERS = 4_000_000;

/** Results that do not depend on variables, as JSON. */
const introspectionResults = new LRUCache<NormalField, ExecutionResult>({ maxSize: MAX_CACHED_CHARACTERS });

function introspect(schema: GraphQLSchema, field: NormalField, info: GraphQLResolveInfo): ExecutionResult {
  const cached = introspectionResults.get(field);
  if (cached) return cached;
  const selectionSet = { kind: Kind.SELECTION_SET, selections: [introspectionNodeOf(field)] } as const;
  const operation = { ...info.operation, selectionSet };
  const result = executeSync({
    schema,
    document: { kind: Kind.DOCUMENT, definitions: [operation, ...Object.values(info.fragments)] },
    variableValues: info.variableValues,
  });
  const value = result.data?.[field.responseName];
  if (value == null) return result;
  const json = JSON.stringify(value);
  const raw = { ...result, data: { [field.responseName]: new RawJson(json) } };
  if (!info.operation.variableDefinitions?.length && !result.errors)
    introspectionResults.set(field, raw, { size: json.length });
  return raw;
}
