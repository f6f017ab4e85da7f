import {
  type GraphQLFieldConfig,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  lexicographicSortSchema,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql';
import { type FieldError, invalidRequest, quote } from '../../domain/core/errors.ts';
import { MAX_PAGE_SIZE } from '../../domain/lists/page.ts';
import type { GraphQLContext } from '../data/context.ts';
import { extensions } from '../operation/field-extensions.ts';
import { findNode, typeNameOfId } from './node.ts';
import { schema } from './schema.ts';

/** Version 2.0 has all the directives that are used, so that every router of Federation 2 accepts it. */
const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key", "@shareable"])';

/** Types that other subgraphs define too. */
const SHAREABLE = ['PageInfo'];

/** A representation of a record, with which other subgraphs refer to it: its type and key. */
interface Representation {
  readonly __typename: string;
  readonly id: string;
}

/**
 * Returns the schema for the given settings.
 *
 * @param federation whether the schema is a subgraph of Apollo Federation 2 (its subgraph specification): with
 *   `_service`, and with `_entities` for the records that `node(id:)` returns.
 */
export function schemaWith({ federation }: { readonly federation?: boolean | undefined }): GraphQLSchema {
  if (!federation) return schema;
  const { query, types, ...config } = schema.toConfig();
  const node = schema.getType('Node');
  if (!query || !(node instanceof GraphQLInterfaceType)) throw new TypeError('The schema has no Query or Node');
  const { fields, ...queryConfig } = query.toConfig();
  const records = schema.getPossibleTypes(node);
  const extended = new GraphQLObjectType({
    ...queryConfig,
    fields: { ...fields, _service: serviceField(printSubgraph(records)), _entities: entitiesField(records, node) },
  });
  return new GraphQLSchema({ ...config, query: extended, types: types.filter((type) => type !== query) });
}

/** Returns the SDL that routers compose: with the directives of federation, and without `_service` and `_entities`. */
function printSubgraph(records: readonly GraphQLObjectType[]): string {
  const directives = new Map([
    ...records.map(({ name }) => [name, parseDirectives('@key(fields: "id")')] as const),
    ...SHAREABLE.map((name) => [name, parseDirectives('@shareable')] as const),
  ]);
  const document = visit(parse(printSchema(lexicographicSortSchema(schema)), { noLocation: true }), {
    ObjectTypeDefinition: (definition) => ({ ...definition, directives: directives.get(definition.name.value) ?? [] }),
  });
  return `${LINK}\n\n${print(document)}`;
}

function parseDirectives(source: string): ObjectTypeDefinitionNode['directives'] {
  const [definition] = parse(`type Any ${source}`, { noLocation: true }).definitions;
  return (definition as ObjectTypeDefinitionNode).directives;
}

function serviceField(sdl: string): GraphQLFieldConfig<unknown, GraphQLContext> {
  const service = new GraphQLObjectType({
    name: '_Service',
    description: 'What a router of Apollo Federation composes.',
    fields: {
      sdl: {
        type: new GraphQLNonNull(GraphQLString),
        description: 'The schema with the directives of federation.',
        resolve: () => sdl,
      },
    },
  });
  return {
    type: new GraphQLNonNull(service),
    description: 'This subgraph, for routers of Apollo Federation. Scope: none.',
    ...extensions({ dependsOnSchemaOnly: true }),
    resolve: () => ({}),
  };
}

function entitiesField(
  records: readonly GraphQLObjectType[],
  { resolveType }: GraphQLInterfaceType,
): GraphQLFieldConfig<unknown, GraphQLContext> {
  const entity = new GraphQLUnionType({
    name: '_Entity',
    description: 'A record that other subgraphs can refer to.',
    types: records,
    resolveType,
  });
  const anyType = new GraphQLScalarType({
    name: '_Any',
    description: 'A reference to a record: an object with its `__typename` and `id`; other fields are ignored.',
  });
  const names = records.map(({ name }) => name);
  return {
    type: new GraphQLNonNull(new GraphQLList(entity)),
    description: `The records of these representations (at most ${MAX_PAGE_SIZE}), in the same order, for routers of Apollo Federation. For each one that does not exist: null. Scope: that of the record type.`,
    ...extensions({
      size: { records: { itemsOf: 'representations' }, cost: 0 },
      nodeTypes: ({ representations }) =>
        checkRepresentations(representations as readonly unknown[], names).map(typeNameOfRepresentation),
    }),
    args: {
      representations: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(anyType))),
        description: 'The types and ids of the records.',
      },
    },
    resolve: (_root, { representations }, context, info) =>
      Promise.all(
        checkRepresentations(representations, names).map((representation, index) =>
          loadEntity(context, representation, index, info).catch((error: Error) => error),
        ),
      ),
  };
}

/** The type of the record that a representation refers to; undefined if no record can have its id. */
function typeNameOfRepresentation({ __typename: name, id }: Representation): string | undefined {
  return typeNameOfId(id) === undefined ? undefined : name;
}

/**
 * Reports only the first invalid value: 60 aliases with 100 representations each could return thousands of errors.
 *
 * @throws {ServiceError} `invalid_request` unless each value is a representation of a type in `names`.
 */
function checkRepresentations(values: readonly unknown[], names: readonly string[]): readonly Representation[] {
  if (values.length > MAX_PAGE_SIZE) {
    const message = `must contain at most ${MAX_PAGE_SIZE} representations`;
    throw invalidRequest({ field: 'representations', message });
  }
  for (const [index, value] of values.entries()) {
    const errors = errorsOf(value, `representations.${index}`, names);
    if (errors.length > 0) throw invalidRequest(...errors);
  }
  return values as readonly Representation[];
}

function errorsOf(value: unknown, field: string, names: readonly string[]): FieldError[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ field, message: 'must be an object with __typename and id' }];
  }
  const { __typename: name, id } = value as Partial<Record<keyof Representation, unknown>>;
  const errors: FieldError[] = [];
  if (typeof name !== 'string' || !names.includes(name)) {
    const given = typeof name === 'string' ? `; it is ${quote(name)}` : '';
    errors.push({ field: `${field}.__typename`, message: `must be one of ${names.join(', ')}${given}` });
  }
  if (typeof id !== 'string') errors.push({ field: `${field}.id`, message: 'must be a string' });
  return errors;
}

/**
 * Loads the record of a representation.
 *
 * @returns null if the record does not exist, because references to deleted records are not errors in a federated
 *   query.
 * @throws {ServiceError} `invalid_request` if the id belongs to a record of another type.
 */
async function loadEntity(
  context: GraphQLContext,
  { __typename: name, id }: Representation,
  index: number,
  info: GraphQLResolveInfo,
): Promise<object | null> {
  const typeOfId = typeNameOfId(id);
  if (typeOfId === undefined || typeOfId === name) return findNode(context, id, info);
  const message = `must be the id of a record of type ${name}, not ${typeOfId}`;
  throw invalidRequest({ field: `representations.${index}.id`, message });
}
