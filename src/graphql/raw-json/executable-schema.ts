import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  type GraphQLField,
  type GraphQLFieldConfig,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  type GraphQLSchema,
  isNonNullType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';
import { memoize } from '../../domain/core/memoize.ts';
import type { GraphQLContext } from '../data/context.ts';
import type { FieldExtensions } from '../data/field-extensions.ts';
import { normalFieldOf } from './executable-document.ts';
import { introspectionResolver } from './introspection-resolver.ts';
import { rawFieldName } from './plan.ts';
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
    resolve: introspectionResolver(schema),
  };
}
