import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isObjectType,
  parse,
  print,
} from 'graphql';
import type { OperationCall } from '../../domain/core/operation.ts';
import type { Entity } from '../../domain/definition/entity.ts';
import { shownFields } from '../../domain/definition/field.ts';
import { ENTITIES } from '../../domain/entities/registry.ts';
import { type Counterpart, extensionsOf } from '../data/field-extensions.ts';
import type { Values } from '../document/normal-form.ts';
import { camelCase } from '../naming.ts';
import { PAYLOAD_RECORD, USER_ERRORS } from '../schema/run-mutation.ts';
import { schema } from '../schema/schema.ts';

type Field = GraphQLField<unknown, unknown>;

/** A field that returns the same data as an operation, and the root field that contains it. */
interface Target {
  readonly counterpart: Counterpart;
  readonly field: Field;
  readonly root: Field;
  readonly keyword: 'query' | 'mutation';
}

let targets: ReadonlyMap<unknown, Target> | undefined;

/**
 * Translates a call of an operation to a GraphQL operation that returns the same fields as REST.
 *
 * @returns undefined if no field calls the operation, or none with this input.
 */
export function toGraphQL({ operation, input }: OperationCall) {
  targets ??= findTargets();
  const target = targets.get(operation);
  const values = input as Values;
  const fieldArguments = target?.counterpart.toArguments(values);
  if (!target || !fieldArguments) return undefined;
  const given = withoutNulls(fieldArguments);
  const ofParent = withoutNulls(target.counterpart.parent?.toArguments(values) ?? {});
  const query = printOperation(target, Object.keys(given), Object.keys(ofParent), values.count === true);
  return { query, variables: { ...ofParent, ...given } };
}

function withoutNulls(values: Values): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null));
}

/** The targets by operation: the root fields, and fields of records with a root field. */
function findTargets(): ReadonlyMap<unknown, Target> {
  const found = new Map<unknown, Target>();
  const fieldsOf = (type: GraphQLObjectType | null | undefined): Field[] => Object.values(type?.getFields() ?? {});
  const [queries, mutations] = [fieldsOf(schema.getQueryType()), fieldsOf(schema.getMutationType())];
  const add = (field: Field, root: Field, keyword: Target['keyword']) => {
    const { counterpart } = extensionsOf(field);
    if (counterpart) found.set(counterpart.operation, { counterpart, field, root, keyword });
  };
  for (const field of mutations) add(field, field, 'mutation');
  for (const root of queries) {
    add(root, root, 'query');
    const type = getNamedType(root.type);
    const nested = isObjectType(type) ? fieldsOf(type) : [];
    for (const field of nested)
      if (extensionsOf(field).counterpart?.parent?.field === root.name) add(field, root, 'query');
  }
  return found;
}

/**
 * Prints the document for a target.
 *
 * @param given the names of the arguments of the field.
 * @param ofParent the names of the arguments of the root field, if the field is below it.
 * @param isCounted whether the number of records is selected.
 */
function printOperation(
  { field, root, keyword }: Target,
  given: readonly string[],
  ofParent: readonly string[],
  isCounted: boolean,
): string {
  const declared = [...variablesOf(root, field === root ? [] : ofParent), ...variablesOf(field, given)];
  const inner = printField(field, given, selectionFor(getNamedType(field.type), isCounted));
  const body = field === root ? inner : printField(root, ofParent, `{ ${inner} }`);
  return print(parse(`${keyword} ${declared.length > 0 ? `(${declared.join(', ')})` : ''} { ${body} }`));
}

function variablesOf({ args }: Field, names: readonly string[]): string[] {
  return args.filter(({ name }) => names.includes(name)).map(({ name, type }) => `$${name}: ${type}`);
}

function printField({ name }: Field, args: readonly string[], selection: string): string {
  const given = args.map((argument) => `${argument}: $${argument}`).join(', ');
  return `${name}${given && `(${given})`} ${selection}`;
}

const entities = new Map<string, Entity>(Object.values(ENTITIES).map(({ entity }) => [entity.name, entity as Entity]));

/** Returns the selection of a type with the same data as in REST. */
function selectionFor(type: GraphQLNamedType, isCounted = false): string {
  if (!isObjectType(type)) return '';
  const fields = type.getFields();
  if (type.name.endsWith('Connection')) {
    const nodes = selectionFor(getNamedType((fields.nodes as Field).type));
    return `{ nodes ${nodes} pageInfo { hasNextPage endCursor } ${isCounted ? 'totalCount' : ''} }`;
  }
  // Fields of a record in the order of REST; the schema sorts them by name.
  const order = Object.keys(entities.get(type.name)?.fields ?? {}).map(camelCase);
  const shown = Object.values(fields)
    // Payloads also have their record under its own name.
    .filter((field) => isInRest(type, field) && field.name !== PAYLOAD_RECORD)
    .sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  return `{ ${shown.map((field) => `${field.name} ${subselectionOf(field)}`).join(' ')} }`;
}

function subselectionOf(field: Field): string {
  const { textFields } = extensionsOf(field);
  return textFields ? `{ ${textFields.join(' ')} }` : selectionFor(getNamedType(field.type));
}

/** Whether REST also returns this field of an object. */
export function isInRest(type: GraphQLObjectType, field: Field): boolean {
  const { scopes, size, textFields } = extensionsOf(field);
  if (textFields) return true;
  if (scopes || size?.cost === 1 || field.args.length > 0) return false;
  if (type.name.endsWith('Payload')) return field.name !== USER_ERRORS && !isLeafType(getNamedType(field.type));
  const entity = entities.get(type.name);
  if (!entity) return field.name !== 'cursor';
  // Integer ids of REST are separate fields in GraphQL, such as `formId`.
  const integerId = entity.fields.id?.type === 'integerId' && `${entity.name.toLowerCase()}Id`;
  if (field.name === integerId) return true;
  return Object.keys(shownFields(entity.fields)).some((name) => camelCase(name) === field.name);
}
