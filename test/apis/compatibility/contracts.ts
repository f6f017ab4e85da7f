import { compareOpenApi, type Diff } from 'api-smart-diff';
import { findBreakingChanges, findDangerousChanges, type GraphQLSchema, parse, print, visit } from 'graphql';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** The keywords of OpenAPI that only document, or name constants. */
const DOCUMENTATION = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'tags',
  'contact',
  'deprecated',
  'x-enum-varnames',
  'x-enumNames',
]);

/**
 * Returns an OpenAPI document without its documentation, with the schemas of parameters in place of references to them, with
 * the alternatives of `anyOf` sorted, and with those of `x-required-scope` as keys, so that a new one among them does not
 * look like changes of others.
 */
export function openApiContract(document: string): object {
  const { schemas } = JSON.parse(document).components;
  const inlined = JSON.parse(document, (_, value) => {
    const name = value?.in && value.schema?.$ref?.split('/').at(-1);
    return name ? { ...value, schema: schemas[name] } : value;
  });
  return withoutDocumentation(inlined, false) as object;
}

/** Returns a GraphQL schema without descriptions. */
export function graphqlContract(schema: string): string {
  return `${print(visit(parse(schema), { enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined) }))}\n`;
}

/** @param areNames whether the keys of `value` are names that the API chose, such as those of properties. */
function withoutDocumentation(value: Json, areNames: boolean): Json {
  if (Array.isArray(value)) return value.map((item) => withoutDocumentation(item, false));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Record<string, Json>)
    .filter(([key, item]) => areNames || !(DOCUMENTATION.has(key) || (key === 'properties' && isEmpty(item))))
    .map(([key, item]): [string, Json] => [key, withoutDocumentation(item, key === 'properties')])
    .map(([key, item]): [string, Json] => {
      if (!Array.isArray(item)) return [key, item];
      if (key === 'x-required-scope') return [key, Object.fromEntries(item.map((scope) => [scope, true]))];
      return [key, key === 'anyOf' ? sorted(item) : item];
    });
  return Object.fromEntries(entries);
}

const isEmpty = (value: Json) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function sorted(alternatives: readonly Json[]): readonly Json[] {
  return alternatives.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/**
 * Returns the changes between two OpenAPI contracts that can break a client, each as a line such as
 * `remove paths./members.get`: all changes except new limits that are wider and what {@link isCompatible} allows to add.
 */
export function breakingOpenApiChanges(earlier: object, later: object): string[] {
  return compareOpenApi(earlier, later)
    .diffs.filter(
      (change) => !(change.action === 'add' ? isCompatible(change, later as Contract) : isWiderLimit(change)),
    )
    .map(({ action, path }) => `${action} ${path.join('.')}`);
}

interface Contract {
  readonly components: { readonly parameters?: Readonly<Record<string, Parameter>> };
}

interface Parameter {
  readonly required?: boolean;
  readonly $ref?: string;
}

/**
 * Whether an addition is a path, operation, response or header of it, component, property, optional parameter, value of a
 * parameter or of an open enum, or an alternative scope.
 */
function isCompatible({ path, after }: Diff, { components }: Contract): boolean {
  const parent = path.at(-2);
  if (parent === 'parameters' && path[0] === 'paths') {
    const { $ref } = after as Parameter;
    const parameter = $ref ? components.parameters?.[$ref.split('/').at(-1) as string] : (after as Parameter);
    return parameter?.required !== true;
  }
  const isOpen = path.includes('parameters') || OPEN_PROPERTIES.some((name) => path.includes(name));
  const isInOpenEnum = parent === 'x-required-scope' || (parent === 'enum' && isOpen);
  const isRequiredInResponse = parent === 'required' && !path.includes('requestBody');
  const isNamed = ['properties', 'responses', 'headers'].includes(parent as string);
  return path.length <= 3 || isNamed || isRequiredInResponse || isInOpenEnum;
}

function isWiderLimit({ type, before, after }: Diff): boolean {
  return type === 'non-breaking' && typeof before === 'number' && typeof after === 'number';
}

const COMPATIBLE = new Set(['OPTIONAL_INPUT_FIELD_ADDED', 'OPTIONAL_ARG_ADDED']);

/** The enums that may gain values, as each new entity adds some; clients expect that. */
const OPEN_ENUMS = ['Scope', 'ChangeResource'];

/** Clients only send the values of these enums. */
const INPUT_ENUM = /to enum type \w+OrderField\.$/;

/** The schemas and properties of REST with the values of these enums. */
const OPEN_PROPERTIES = ['ChangeResource', 'resource', 'scopes'];

/** Whether a change adds a value to an open enum. */
function growsOpenEnum({ type, description }: { readonly type: string; readonly description: string }): boolean {
  const isOpen = OPEN_ENUMS.some((name) => description.endsWith(`to enum type ${name}.`));
  return type === 'VALUE_ADDED_TO_ENUM' && (isOpen || INPUT_ENUM.test(description));
}

/** Returns the changes between two GraphQL schemas that can break a client, as graphql-js describes them. */
export function breakingGraphQLChanges(earlier: GraphQLSchema, later: GraphQLSchema): string[] {
  return [...findBreakingChanges(earlier, later), ...findDangerousChanges(earlier, later)]
    .filter((change) => !COMPATIBLE.has(change.type) && !growsOpenEnum(change))
    .map(({ description }) => description);
}
