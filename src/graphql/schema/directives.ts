import {
  DirectiveLocation,
  type GraphQLArgument,
  GraphQLBoolean,
  GraphQLDirective,
  type GraphQLField,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLString,
  getNamedType,
  isObjectType,
} from 'graphql';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../domain/lists/page.ts';
import { pointsOf } from '../operation/cost.ts';
import { extensionsOf } from '../operation/field-extensions.ts';

function listOf<Item extends GraphQLScalarType | GraphQLList<GraphQLInputType>>(type: Item) {
  return new GraphQLList(new GraphQLNonNull(type));
}

const Scope = new GraphQLScalarType({
  name: 'Scope',
  description: 'A scope of API keys, in the form `{resource}.{operation}`.',
});

const requiresScopes = new GraphQLDirective({
  name: 'requiresScopes',
  description:
    'The scopes that a field requires, as in Apollo Federation: the key needs all scopes of one of the inner lists.',
  locations: [
    ...[DirectiveLocation.FIELD_DEFINITION, DirectiveLocation.OBJECT, DirectiveLocation.INTERFACE],
    ...[DirectiveLocation.SCALAR, DirectiveLocation.ENUM],
  ],
  args: {
    scopes: {
      type: new GraphQLNonNull(listOf(listOf(Scope))),
      description: 'One inner list for each set of scopes that is sufficient.',
    },
  },
});

const cost = new GraphQLDirective({
  name: 'cost',
  description:
    'The points that each selection of a field costs, regardless of the number of records (IBM’s cost directives). Fields without this directive cost nothing.',
  locations: [
    ...[DirectiveLocation.ARGUMENT_DEFINITION, DirectiveLocation.ENUM, DirectiveLocation.FIELD_DEFINITION],
    ...[DirectiveLocation.INPUT_FIELD_DEFINITION, DirectiveLocation.OBJECT, DirectiveLocation.SCALAR],
  ],
  args: { weight: { type: new GraphQLNonNull(GraphQLString), description: 'The points, as a number.' } },
});

const listSize = new GraphQLDirective({
  name: 'listSize',
  description: 'The number of records of a list, from which the maximum size of a response is estimated.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    assumedSize: { type: GraphQLInt, description: 'The size if no slicing argument is given.' },
    slicingArguments: { type: listOf(GraphQLString), description: 'The arguments that set the size.' },
    sizedFields: { type: listOf(GraphQLString), description: 'The fields of a connection that have this size.' },
    requireOneSlicingArgument: {
      type: GraphQLBoolean,
      defaultValue: true,
      description: 'Whether exactly one slicing argument is required.',
    },
  },
});

/**
 * The directives of the schema, for tools. Introspection returns only their definitions; the SDL also shows where they
 * are applied.
 */
export const DIRECTIVES = { requiresScopes, cost, listSize } as const;

type Field = GraphQLField<unknown, unknown>;

/** A directive that is applied to a field, with its arguments. */
export interface AppliedDirective {
  readonly definition: GraphQLDirective;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * The directives of a field, derived from the extensions that declare its scopes and its size.
 *
 * @param isRoot whether it is a field of the query or mutation type.
 */
export function directivesOf(field: Field, isRoot: boolean): readonly AppliedDirective[] {
  const { counterpart, scopes = counterpart?.operation.scopes } = extensionsOf(field);
  const points = pointsOf(field, isRoot);
  const size = listSizeOf(field);
  return [
    ...(scopes ? [{ definition: requiresScopes, args: { scopes: scopes.map((scope) => [scope]) } }] : []),
    ...(points > 0 ? [{ definition: cost, args: { weight: String(points) } }] : []),
    ...(size ? [{ definition: listSize, args: size }] : []),
  ];
}

function listSizeOf(field: Field): AppliedDirective['args'] | undefined {
  const records = extensionsOf(field).size?.records;
  if (typeof records === 'number') return records > 1 ? { assumedSize: records } : undefined;
  if (records === undefined) return undefined;
  if (records !== 'page') return { assumedSize: MAX_PAGE_SIZE };
  const connection = getNamedType(field.type);
  const names = isObjectType(connection) ? Object.keys(connection.getFields()) : [];
  return {
    assumedSize: DEFAULT_PAGE_SIZE,
    slicingArguments: namesOf(field.args).filter((name) => name === 'first' || name === 'last'),
    sizedFields: names.filter((name) => name === 'edges' || name === 'nodes'),
    requireOneSlicingArgument: false,
  };
}

function namesOf(args: readonly GraphQLArgument[]): string[] {
  return args.map(({ name }) => name);
}
