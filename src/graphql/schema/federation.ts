import {
  extendSchema,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type GraphQLUnionType,
  lexicographicSortSchema,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql';
import { type FieldError, invalidRequest } from '../../domain/core/errors.ts';
import { MAX_PAGE_SIZE } from '../../domain/lists/page.ts';
import { quote } from '../../domain/values/words.ts';
import type { GraphQLContext } from '../data/context.ts';
import { extensions } from '../data/field-extensions.ts';
import { findNode, typeNameOfId } from './node.ts';
import { schema } from './schema.ts';

/** Version 2.0 has all the directives that are used, so that every router of Federation 2 accepts it. */
const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key", "@shareable"])';

/** Types that other subgraphs define too. */
const SHAREABLE = ['PageInfo'];

type Field = GraphQLField<unknown, GraphQLContext>;

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
  const node = schema.getType('Node') as GraphQLInterfaceType;
  const records = schema.getPossibleTypes(node);
  const names = records.map(({ name }) => name);
  const sdl = printSubgraph(records);
  const subgraph = extendSchema(schema, parse(additions(names)));
  const { _service: service, _entities: entities } = (subgraph.getQueryType() as GraphQLObjectType).getFields();
  Object.assign(service as Field, extensions({ dependsOnSchemaOnly: true }), { resolve: () => ({ sdl }) });
  Object.assign(entities as Field, entitiesOptions(names));
  Object.assign(subgraph.getType('_Entity') as GraphQLUnionType, { resolveType: node.resolveType });
  return subgraph;
}

/** The SDL of what the subgraph has in addition. @param names the types of the records. */
function additions(names: readonly string[]): string {
  return `
    extend type Query {
      "This subgraph, for routers of Apollo Federation. Scope: none."
      _service: _Service!

      "The records of these representations (at most ${MAX_PAGE_SIZE}), in the same order, for routers of Apollo Federation. For each one that does not exist: null. Scope: that of the record type."
      _entities(
        "The types and ids of the records."
        representations: [_Any!]!
      ): [_Entity]!
    }

    "What a router of Apollo Federation composes."
    type _Service {
      "The schema with the directives of federation."
      sdl: String!
    }

    "A record that other subgraphs can refer to."
    union _Entity = ${names.join(' | ')}

    "A reference to a record: an object with its \`__typename\` and \`id\`; other fields are ignored."
    scalar _Any
  `;
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

/** How `_entities` is resolved. @param names the types of the records. */
function entitiesOptions(names: readonly string[]): Pick<Field, 'extensions' | 'resolve'> {
  return {
    ...extensions({
      size: { records: { itemsOf: 'representations' }, cost: 0 },
      nodeTypes: ({ representations }) =>
        checkRepresentations(representations as readonly unknown[], names).map(typeNameOfRepresentation),
    }),
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
