import { readFile } from 'node:fs/promises';

/** The operations that a backend for a frontend needs; GraphiQL opens with them, in this order: the tab it shows first has no variables. */
const RECIPES = [
  'directory',
  'member-page',
  'department-roster',
  'form-answers',
  'create-or-join',
  'upcoming-events',
] as const;

const FOLDER = new URL('../../../../cookbook/', import.meta.url);

/** An operation of the cookbook with variables that fit the demo organization; both as they stand in its files. */
export interface Recipe {
  readonly name: (typeof RECIPES)[number];
  readonly query: string;
  /** JSON; undefined where it needs none. */
  readonly variables: string | undefined;
}

/** Reads the cookbook: `cookbook/NAME.graphql` and, where there are variables, `cookbook/NAME.json`. */
export function readCookbook(): Promise<Recipe[]> {
  return Promise.all(
    RECIPES.map(async (name) => ({
      name,
      query: await readFile(new URL(`${name}.graphql`, FOLDER), 'utf8'),
      variables: await readFile(new URL(`${name}.json`, FOLDER), 'utf8').catch(ignoreMissing),
    })),
  );
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
