import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  type DocumentNode,
  type ExecutionResult,
  executeSync,
  type FieldNode,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
  isNonNullType,
  Kind,
  type NameNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type VariableDefinitionNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { memoize } from '../../domain/core/memoize.ts';
import type { GraphQLContext } from '../data/context.ts';
import type { FieldExtensions } from '../data/field-extensions.ts';
import { RawJson } from '../data/response-body.ts';
import {
  isMetaIntrospection,
  type NormalField,
  type NormalOperation,
  type Selection,
} from '../document/normal-form.ts';
import { projectionOf } from './projection.ts';
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
export function executableSchema(schema: GraphQLSchema): GraphQLSchema {
  return mapSchema(schema, {
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
  });
}

/**
 * The name of the leaf that returns the raw JSON of a field of records, of `__schema` or of `__type`. Only the executable
 * schema has it, so no document of a client can contain it.
 */
function rawFieldName(name: string): string {
  return `${name.replace(/^__/, '')}__raw`;
}

function withFields(type: GraphQLObjectType, added: Record<string, FieldConfig>): GraphQLObjectType {
  const { fields, ...config } = type.toConfig();
  return new GraphQLObjectType({ ...config, fields: { ...fields, ...added } });
}

function rawFieldsOf(type: GraphQLObjectType): Record<string, FieldConfig> {
  const fields = Object.entries(type.toConfig().fields).filter(([name, field]) => isRaw(type, name, field));
  return Object.fromEntries(fields.map(([name, field]) => [rawFieldName(name), rawField(name, field)]));
}

function isRaw({ name: typeName }: GraphQLObjectType, name: string, { extensions }: FieldConfig): boolean {
  if (typeName.endsWith('Connection')) return isListOfRecords(name);
  return (extensions as FieldExtensions | undefined)?.returnsRawJson === true;
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

const fieldsByNode = new WeakMap<FieldNode, NormalField>();

/** The normal form of the field being resolved; undefined if the document was not built by {@link executableDocument}. */
export function normalFieldOf({ fieldNodes: [node] }: Pick<GraphQLResolveInfo, 'fieldNodes'>): NormalField | undefined {
  return node && fieldsByNode.get(node);
}

/**
 * Builds a document with the same result from the normal form of an operation. It has one node per field and no fragments,
 * and where PostgreSQL serializes a selection, or for introspection, it selects the leaf of `executableSchema` instead. It
 * is executed with coerced variables.
 */
export const executableDocument = memoize(({ source, selection }: NormalOperation): DocumentNode => {
  const { variableDefinitions = [] } = source.operation;
  const operation = {
    ...source.operation,
    variableDefinitions: variableDefinitions.map(definitionOfCoerced),
    directives: [],
    selectionSet: selectionSetOf([selection], false),
  };
  return { kind: Kind.DOCUMENT, definitions: [operation, ...source.fragments.values()] };
});

/** The definition of a variable whose value is already coerced: graphql-js does not change a value of the type `JSON`. */
function definitionOfCoerced({ variable }: VariableDefinitionNode): VariableDefinitionNode {
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable,
    type: { kind: Kind.NAMED_TYPE, name: nameNode('JSON') },
  };
}

/** The node of a field. Its alias is the response name. */
const fieldNodeOf = memoize((field: NormalField): FieldNode => {
  const { definition, selections } = field;
  const { rawJsonPlan } = projectionOf(field);
  const isConnection = getNamedType(definition.type).name.endsWith('Connection');
  if ((rawJsonPlan && !isConnection) || isMetaIntrospection(field)) return nodeOf(field, rawFieldName(definition.name));
  if (selections.length === 0) return nodeOf(field, definition.name);
  return nodeOf(field, definition.name, selectionSetOf(selections, rawJsonPlan !== undefined));
});

/** The node of the edges or nodes of a connection whose records PostgreSQL serializes. */
const rawPageNodeOf = memoize((field: NormalField) => nodeOf(field, rawFieldName(field.definition.name)));

function nodeOf(field: NormalField, name: string, selectionSet?: SelectionSetNode): FieldNode {
  const [{ arguments: args = [], loc }] = field.nodes;
  const node: FieldNode = {
    kind: Kind.FIELD,
    name: nameNode(name),
    alias: nameNode(field.responseName),
    arguments: args,
    ...(loc && { loc }),
    ...(selectionSet && { selectionSet }),
  };
  fieldsByNode.set(node, field);
  return node;
}

/** @param isRawPage whether the selection is that of a connection whose records PostgreSQL serializes. */
function selectionSetOf(selections: readonly Selection[], isRawPage: boolean): SelectionSetNode {
  const [only, ...others] = selections;
  const nodes: readonly SelectionNode[] =
    only && others.length === 0
      ? (only.erroneous ??
        only.fields.map((field) =>
          isRawPage && isListOfRecords(field.definition.name) ? rawPageNodeOf(field) : fieldNodeOf(field),
        ))
      : selections.flatMap((selection) =>
          selection.fields.length === 0 && !selection.erroneous
            ? []
            : {
                kind: Kind.INLINE_FRAGMENT as const,
                typeCondition: { kind: Kind.NAMED_TYPE as const, name: nameNode(selection.type.name) },
                selectionSet: selectionSetOf([selection], isRawPage),
              },
        );
  return { kind: Kind.SELECTION_SET, selections: nodes };
}

function isListOfRecords(name: string): boolean {
  return name === 'edges' || name === 'nodes';
}

function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value };
}

/** Returns the resolver of the leaf of `__schema` or `__type`. Its value describes `schema`, the public schema. */
function introspectionResolver(schema: GraphQLSchema): GraphQLFieldResolver<unknown, GraphQLContext> {
  return (_source, _args, context, info) => {
    const field = normalFieldOf(info) as NormalField;
    const { data, errors: [first, ...others] = [] } = introspect(schema, field, info);
    const value = data?.[field.responseName] ?? null;
    for (const error of others) context.response.addFieldError(() => error);
    if (first && value === null) throw first;
    if (first) context.response.addFieldError(() => first);
    return value;
  };
}

/** The maximum length of all cached results: about 20 results of the standard query, of 200,000 characters each. */
const MAX_CACHED_CHARACTERS = 4_000_000;

/** Results that do not depend on variables, as JSON. */
const cachedResults = new LRUCache<NormalField, ExecutionResult>({ maxSize: MAX_CACHED_CHARACTERS });

function introspect(schema: GraphQLSchema, field: NormalField, info: GraphQLResolveInfo): ExecutionResult {
  const cached = cachedResults.get(field);
  if (cached) return cached;
  const node = nodeOf(field, field.definition.name, selectionSetOf(field.selections, false));
  const selectionSet = { kind: Kind.SELECTION_SET, selections: [node] } as const;
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
    cachedResults.set(field, raw, { size: json.length });
  return raw;
}
