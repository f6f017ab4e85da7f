import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  type GraphQLFieldConfig,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  type GraphQLSchema,
  isNonNullType,
} from 'graphql';
import { memoize } from '../../domain/core/memoize.ts';
import type { GraphQLContext } from '../data/context.ts';
import type { FieldExtensions } from '../operation/field-extensions.ts';
import { normalFieldOf } from './executable-document.ts';
import { whenResolved } from './maybe-promise.ts';
import { rawFieldName } from './plan.ts';
import { RawRecords } from './raw-records.ts';

type FieldConfig = GraphQLFieldConfig<unknown, GraphQLContext>;

/** A value that is already JSON: `RawJson`. */
const RawJsonScalar = new GraphQLScalarType({ name: 'RawJson', serialize: (value) => value });

/**
 * Adds a leaf beside each field whose records PostgreSQL can serialize. The leaf has the arguments and the resolver of the
 * field, and its value is the JSON of the whole selection.
 */
export const executableSchema = memoize(
  (schema: GraphQLSchema): GraphQLSchema =>
    mapSchema(schema, {
      [MapperKind.OBJECT_TYPE]: (type) => {
        const { fields, ...config } = type.toConfig();
        const raw = Object.entries(fields)
          .filter(([name, field]) => isRaw(type, name, field))
          .map(([name, field]) => [rawFieldName(name), rawField(name, field)]);
        return new GraphQLObjectType({ ...config, fields: { ...fields, ...Object.fromEntries(raw) } });
      },
    }),
);

function isRaw({ name: typeName }: GraphQLObjectType, name: string, { extensions }: FieldConfig): boolean {
  if (typeName.endsWith('Connection')) return name === 'edges' || name === 'nodes';
  return (extensions as FieldExtensions | undefined)?.rawJson === true;
}

function rawField(name: string, { type, args, resolve }: FieldConfig): FieldConfig {
  return {
    type: isNonNullType(type) ? new GraphQLNonNull(RawJsonScalar) : RawJsonScalar,
    ...(args && { args }),
    resolve: (source, values, context, info) => {
      const value = resolve ? resolve(source, values, context, info) : (source as Record<string, unknown>)[name];
      return whenResolved(value, (records) => {
        const field = normalFieldOf(info);
        return records instanceof RawRecords && field ? records.toRawJson(field, info.path, context) : records;
      });
    },
  };
}
