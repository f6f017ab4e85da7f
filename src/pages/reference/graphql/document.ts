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

export const OPERATION_KINDS = ['query', 'mutation', 'subscription'] as const;

export type OperationKind = (typeof OPERATION_KINDS)[number];

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

/** A value of an argument in GraphQL's syntax: JSON without quotes around the names of fields and enum values. */
function literal(value: unknown, input?: GraphQLInputType): string {
  const type = input && getNullableType(input);
  if (value === null) return 'null';
  if (isListType(type) || Array.isArray(value)) {
    const items = [value].flat().map((item) => literal(item, isListType(type) ? type.ofType : undefined));
    return list('[', items, ']');
  }
  if (typeof value === 'object') {
    const values = value as Readonly<Record<string, unknown>>;
    const types = isInputObjectType(type) ? type.getFields() : undefined;
    const names = Object.keys(types ?? values).filter((name) => values[name] !== undefined);
    const fields = names.map((name) => `${name}: ${literal(values[name], types?.[name]?.type)}`);
    return list('{ ', fields, ' }');
  }
  return isEnumType(type) ? String(value) : JSON.stringify(value);
}

const MAX_LINE_CHARACTERS = 60;

/** Items on one line, or each on a separate line if one line would be too long. */
function list(open: string, items: readonly string[], close: string): string {
  const line = `${open}${items.join(', ')}${close}`;
  if (line.length <= MAX_LINE_CHARACTERS && !line.includes('\n')) return line;
  return `${open.trim()}\n${items.join('\n').replaceAll(/^/gm, '  ')}\n${close.trim()}`;
}
