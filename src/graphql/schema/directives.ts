import { buildSchema, type GraphQLDirective, type GraphQLField, getNamedType, isObjectType } from 'graphql';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../domain/lists/page.ts';
import { extensionsOf, pointsOf } from '../data/field-extensions.ts';
import type { Values } from '../document/normal-form.ts';

const definitions = buildSchema(`
  "A scope of API keys, in the form \`{resource}.{operation}\`."
  scalar Scope

  "The scopes that a field requires, as in Apollo Federation: the key needs all scopes of one of the inner lists."
  directive @requiresScopes(
    "One inner list for each set of scopes that is sufficient."
    scopes: [[Scope!]!]!
  ) on FIELD_DEFINITION | OBJECT | INTERFACE | SCALAR | ENUM

  "The points that each selection of a field costs, regardless of the number of records (IBM’s cost directives). Fields without this directive cost nothing."
  directive @cost(
    "The points, as a number."
    weight: String!
  ) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR

  "The number of records of a list, from which the maximum size of a response is estimated."
  directive @listSize(
    "The size if no slicing argument is given."
    assumedSize: Int
    "The arguments that set the size."
    slicingArguments: [String!]
    "The fields of a connection that have this size."
    sizedFields: [String!]
    "Whether exactly one slicing argument is required."
    requireOneSlicingArgument: Boolean = true
  ) on FIELD_DEFINITION
`);

/**
 * The directives of the schema, for tools. Introspection returns only their definitions; the SDL also shows where they
 * are applied.
 */
export const DIRECTIVES = {
  requiresScopes: definitions.getDirective('requiresScopes') as GraphQLDirective,
  cost: definitions.getDirective('cost') as GraphQLDirective,
  listSize: definitions.getDirective('listSize') as GraphQLDirective,
} as const;

type Field = GraphQLField<unknown, unknown>;

/**
 * The arguments of the directives of a field by their names, derived from the extensions that declare its scopes and its
 * size.
 *
 * @param isRoot whether it is a field of a root type.
 */
export function directivesOf(field: Field, isRoot: boolean): Partial<Record<keyof typeof DIRECTIVES, Values>> {
  const { counterpart, scopes = counterpart?.operation.scopes } = extensionsOf(field);
  const points = pointsOf(field, isRoot);
  const size = listSizeOf(field);
  return {
    ...(scopes?.length && { requiresScopes: { scopes: scopes.map((scope) => [scope]) } }),
    ...(points > 0 && { cost: { weight: String(points) } }),
    ...(size && { listSize: size }),
  };
}

function listSizeOf(field: Field): Values | undefined {
  const records = extensionsOf(field).size?.records;
  if (typeof records === 'number') return records > 1 ? { assumedSize: records } : undefined;
  if (records === undefined) return undefined;
  if (records !== 'page') return { assumedSize: MAX_PAGE_SIZE };
  const connection = getNamedType(field.type);
  const names = isObjectType(connection) ? Object.keys(connection.getFields()) : [];
  return {
    assumedSize: DEFAULT_PAGE_SIZE,
    slicingArguments: field.args.map(({ name }) => name).filter((name) => name === 'first' || name === 'last'),
    sizedFields: names.filter((name) => name === 'edges' || name === 'nodes'),
    requireOneSlicingArgument: false,
  };
}
