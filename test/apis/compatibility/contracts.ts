import { compareOpenApi, type Diff } from 'api-smart-diff';
import { parse, print, visit } from 'graphql';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** The keywords of OpenAPI that only document. */
const DOCUMENTATION = new Set(['description', 'summary', 'title', 'example', 'examples', 'tags', 'contact']);

/** Returns an OpenAPI document without its documentation, and with the alternatives of `anyOf` sorted. */
export function openApiContract(document: string): object {
  return withoutDocumentation(JSON.parse(document), false) as object;
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
    .filter(([key]) => areNames || !DOCUMENTATION.has(key))
    .map(([key, item]): [string, Json] => [key, withoutDocumentation(item, key === 'properties')])
    .map(([key, item]): [string, Json] => [key, key === 'anyOf' ? sorted(item as readonly Json[]) : item]);
  return Object.fromEntries(entries);
}

function sorted(alternatives: readonly Json[]): readonly Json[] {
  return alternatives.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/**
 * Returns the changes between two OpenAPI contracts that can break a client, each as a line such as
 * `remove paths./members.get`:
 *
 * - everything that is removed;
 * - everything that is replaced, except limits that become wider;
 * - what is added and must be in requests, or was not possible in responses, such as a value of an enum.
 */
export function breakingOpenApiChanges(earlier: object, later: object): string[] {
  return compareOpenApi(earlier, later)
    .diffs.filter((change) => !(change.action === 'add' ? isCompatibleAddition(change) : isWiderLimit(change)))
    .map(({ action, path }) => `${action} ${path.join('.')}`);
}

/**
 * The comparison classifies `components` as parts of requests. Additions there are ignored, because each is also reported
 * for the `paths` that refer to it.
 */
function isCompatibleAddition({ type, path }: Diff): boolean {
  return type !== 'breaking' || path[0] !== 'paths';
}

function isWiderLimit({ type, before, after }: Diff): boolean {
  return type === 'non-breaking' && typeof before === 'number' && typeof after === 'number';
}
