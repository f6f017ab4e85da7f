import { compareOpenApi, type Diff } from 'api-smart-diff';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** The keywords of OpenAPI that only inform readers. */
const TEXTS = new Set(['description', 'summary', 'title', 'example', 'examples', 'tags', 'contact']);

/** Returns an OpenAPI document without texts, and with alternatives in alphabetical order: what clients depend on. */
export function openApiContract(document: string): object {
  return withoutTexts(JSON.parse(document), false) as object;
}

/** @param areNames whether the keys of `value` are names that the API chose, such as those of properties. */
function withoutTexts(value: Json, areNames: boolean): Json {
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, false));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Record<string, Json>)
    .filter(([key]) => areNames || !TEXTS.has(key))
    .map(([key, item]): [string, Json] => [key, withoutTexts(item, key === 'properties')])
    .map(([key, item]): [string, Json] => [key, key === 'anyOf' ? sorted(item as readonly Json[]) : item]);
  return Object.fromEntries(entries);
}

function sorted(alternatives: readonly Json[]): readonly Json[] {
  return alternatives.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/**
 * Returns the changes between two contracts that are not additions: everything that is removed or replaced, except
 * limits that become wider, and new requirements for requests. Each is a line such as `remove paths./members.get`.
 */
export function breakingOpenApiChanges(earlier: object, later: object): string[] {
  return compareOpenApi(earlier, later)
    .diffs.filter((change) => !(change.action === 'add' ? isOptional(change) : isWiderLimit(change)))
    .map(({ action, path }) => `${action} ${path.join('.')}`);
}

/** Shared schemas are all compared like those of requests; only their uses in `paths` tell requests from responses. */
function isOptional({ type, path }: Diff): boolean {
  return type !== 'breaking' || path[0] !== 'paths';
}

function isWiderLimit({ type, before, after }: Diff): boolean {
  return type === 'non-breaking' && typeof before === 'number' && typeof after === 'number';
}
