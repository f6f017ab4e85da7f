import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

/** A field of the schema. */
export type SchemaField = GraphQLField<unknown, unknown>;

/** Values of arguments by name. */
export type ArgumentValues = Readonly<Record<string, unknown>>;

/** An operation that selects one root field, with all fields that need neither another scope nor more points. */
export function operationOf(kind: 'query' | 'mutation', field: SchemaField, args: ArgumentValues): string {
  return `${kind} ${block([fieldText(field, args, selectionOf(field.type))])}`;
}

/** A field with arguments and selection; values for arguments that it does not have are left out. */
function fieldText({ name, args }: SchemaField, values: ArgumentValues, selection: string): string {
  const texts = args
    .filter((argument) => values[argument.name] !== undefined)
    .map((argument) => `${argument.name}: ${literal(values[argument.name], argument.type)}`);
  return `${name}${texts.length === 0 ? '' : `(${texts.join(', ')})`}${selection && ` ${selection}`}`;
}

/** The fields of a type that an example selects, as text; empty for scalars and enums. */
function selectionOf(output: GraphQLOutputType): string {
  const type = getNamedType(output);
  if (isInterfaceType(type)) return block(['__typename', 'id']);
  if (!isObjectType(type)) return '';
  const fields = Object.values(type.getFields());
  if (fields.some(({ name }) => name === 'pageInfo')) {
    const records = fields.find(({ name }) => name === 'nodes') ?? fields.find(({ name }) => name === 'edges');
    const pageInfo = `pageInfo ${block(['hasNextPage', 'endCursor'])}`;
    return block([...(records ? [fieldText(records, {}, selectionOf(records.type))] : []), pageInfo]);
  }
  const hasUserErrors = fields.some(({ name }) => name === 'userErrors');
  const isSelected = ({ type, description, deprecationReason }: SchemaField) =>
    deprecationReason === undefined &&
    !/Scope: |Costs one point/.test(description ?? '') &&
    // A field that cannot be null would have no value if the mutation is refused, so the errors would not be in
    // `userErrors`.
    !(hasUserErrors && isNonNullType(type) && !isListType(type.ofType));
  const selected = fields.filter(isSelected).map((field) => fieldText(field, {}, selectionOf(field.type)));
  return block(selected.sort((a, b) => Number(b === 'id') - Number(a === 'id')));
}

/** A value of an argument in GraphQL's syntax. */
export function literal(value: unknown, input: GraphQLInputType): string {
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
    const values = value as ArgumentValues;
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
  return `${open.trim()}\n${indent(items)}\n${close.trim()}`;
}

/** Lines in braces. */
function block(lines: readonly string[]): string {
  return `{\n${indent(lines)}\n}`;
}

function indent(lines: readonly string[]): string {
  return lines.join('\n').replaceAll(/^/gm, '  ');
}
