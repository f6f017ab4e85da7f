import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  type OperationDefinitionNode,
  parse,
  print,
  typeFromAST,
} from 'graphql';

/** The kinds of operations. */
export const OPERATION_KINDS = ['query', 'mutation', 'subscription'] as const;

export type OperationKind = (typeof OPERATION_KINDS)[number];

/** A field of the schema. */
export type SchemaField = GraphQLField<unknown, unknown>;

/** An operation with variables. */
export interface OperationRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Returns an operation with values instead of its variables, as in examples. */
export function inlineVariables(schema: GraphQLSchema, { query, variables }: OperationRequest): string {
  const [definition] = parse(query).definitions as readonly OperationDefinitionNode[];
  const { variableDefinitions = [], ...operation } = definition as OperationDefinitionNode;
  const types = new Map(variableDefinitions.map(({ variable, type }) => [variable.name.value, type]));
  return print(operation).replaceAll(/^( *).*\$.*$/gm, (line, indentation: string) =>
    line.replaceAll(/\$(\w+)/g, (_, name: string) => {
      const type = typeFromAST(schema, types.get(name) as never) as GraphQLInputType;
      return literal(variables[name], type).replaceAll('\n', `\n${indentation}`);
    }),
  );
}

/** An id for examples: the first member of the demo organization. */
const SAMPLE_ID = '"mem_01j00000000000000000000001"';

/** An operation that selects a root field which REST does not have: `node` and `nodes`, for records of any type. */
export function operationByIds({ name, args }: SchemaField): string {
  const values = args.map(
    ({ name, type }) => `${name}: ${isListType(getNullableType(type)) ? `[${SAMPLE_ID}]` : SAMPLE_ID}`,
  );
  return `{\n  ${name}(${values.join(', ')}) {\n    __typename\n    id\n  }\n}`;
}

/** A subscription that selects the fields of a root field which need no further points. */
export function subscriptionTo({ name, type }: SchemaField): string {
  const fields = Object.values((getNamedType(type) as GraphQLObjectType).getFields());
  const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)));
  return `subscription {\n  ${name} {\n${leaves.map((leaf) => `    ${leaf.name}`).join('\n')}\n  }\n}`;
}

/** A value of an argument in GraphQL's syntax. */
function literal(value: unknown, input: GraphQLInputType): string {
  const type = getNullableType(input);
  if (value === null) return 'null';
  if (isListType(type)) {
    const items = Array.isArray(value) ? value : [value];
    return list(
      '[',
      items.map((item) => literal(item, type.ofType)),
      ']',
    );
  }
  if (isInputObjectType(type)) {
    const values = value as Readonly<Record<string, unknown>>;
    const fields = Object.values(type.getFields()).filter(({ name }) => values[name] !== undefined);
    return list(
      '{ ',
      fields.map(({ name, type }) => `${name}: ${literal(values[name], type)}`),
      ' }',
    );
  }
  return isEnumType(type) ? String(value) : jsonLiteral(value);
}

/** A JSON value in GraphQL's syntax, which is JSON without quotes around the names of fields. */
function jsonLiteral(value: unknown): string {
  if (Array.isArray(value)) return list('[', value.map(jsonLiteral), ']');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, one]) => `${name}: ${jsonLiteral(one)}`);
  return list('{ ', fields, ' }');
}

const MAX_LINE_CHARACTERS = 60;

/** Items on one line, or each on a separate line if one line would be too long. */
function list(open: string, items: readonly string[], close: string): string {
  const line = `${open}${items.join(', ')}${close}`;
  if (line.length <= MAX_LINE_CHARACTERS && !line.includes('\n')) return line;
  return `${open.trim()}\n${items.join('\n').replaceAll(/^/gm, '  ')}\n${close.trim()}`;
}
