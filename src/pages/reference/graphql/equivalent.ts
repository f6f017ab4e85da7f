import {
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import type { SampleRequest } from '../rest/request-samples.ts';
import { type ArgumentValues, block, fieldText, operationOf, type SchemaField, selectionOf } from './document.ts';

/** The names of arguments that differ from those of parameters in more than the letter case. */
const ARGUMENTS: Readonly<Record<string, string>> = { q: 'search', limit: 'first', cursor: 'after' };

/**
 * Returns the GraphQL operation that does the same as a REST request, derived from the names of both schemas: `listMembers`
 * is `members`, `getMember` is `member`, and mutations have the names of the operations.
 *
 * @returns a function that returns undefined where no valid operation can be derived.
 */
export function createGraphQLEquivalent(schema: GraphQLSchema): (request: SampleRequest) => string | undefined {
  return (request) => {
    const document = request.operation.method === 'GET' ? queryOf(schema, request) : mutationOf(schema, request);
    return document !== undefined && validate(schema, parse(document)).length === 0 ? document : undefined;
  };
}

function queryOf(schema: GraphQLSchema, request: SampleRequest): string | undefined {
  const fields = schema.getQueryType()?.getFields() ?? {};
  const name = request.operation.id.replace(/^(list|get)/, '');
  const field = fields[name.charAt(0).toLowerCase() + name.slice(1)];
  const args = argumentsFor(request);
  return field ? operationOf('query', field, args) : nestedQueryOf(fields, request, args);
}

/** `/forms/{form_id}/responses`: the field `responses` of `form`. */
function nestedQueryOf(
  fields: Readonly<Record<string, SchemaField>>,
  { operation, parameters }: SampleRequest,
  args: ArgumentValues,
): string | undefined {
  const [, parents = '', parameter = '', name = ''] = /\/([a-z-]+)s\/\{(\w+)\}\/([a-z-]+)$/.exec(operation.path) ?? [];
  const parent = fields[camelCase(parents)];
  const type = parent && getNamedType(parent.type);
  const field = isObjectType(type) ? type.getFields()[camelCase(name)] : undefined;
  if (!parent || !field) return undefined;
  const selection = block([fieldText(field, args, selectionOf(field.type))]);
  return operationOf('query', parent, { id: parameters[parameter] }, selection);
}

function mutationOf(schema: GraphQLSchema, request: SampleRequest): string | undefined {
  const field = schema.getMutationType()?.getFields()[request.operation.id];
  const input = field?.args.find(({ name }) => name === 'input');
  const type = input && getNamedType(input.type);
  if (!field || !isInputObjectType(type)) return undefined;
  const body = Object.entries((request.body ?? {}) as ArgumentValues).map(([name, value]) => {
    const key = camelCase(name);
    const inputField = type.getFields()[key];
    const isEntries = inputField && isListType(getNullableType(inputField.type)) && !Array.isArray(value);
    return [key, isEntries ? entries(value as ArgumentValues) : value];
  });
  return operationOf('mutation', field, { input: { ...argumentsFor(request), ...Object.fromEntries(body) } });
}

/** Answers by field id, as a list. */
function entries(answers: ArgumentValues): unknown[] {
  return Object.entries(answers).map(([id, value]) => ({ fieldId: Number(id), value }));
}

/** The parameters by the names of arguments; the last one of the path is also the `id`. */
function argumentsFor({ operation, parameters }: SampleRequest): ArgumentValues {
  const named = Object.entries(parameters).map(([name, value]) => [ARGUMENTS[name] ?? camelCase(name), value]);
  const id = [...operation.path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1];
  return { ...Object.fromEntries(named), ...(id === undefined ? {} : { id: parameters[id] }) };
}

function camelCase(name: string): string {
  return name.replaceAll(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
