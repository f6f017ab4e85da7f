import { readFile } from 'node:fs/promises';
import type { Recipe } from '../../pages/reference/graphql/types.ts';

/** The recipes in the order of GraphiQL's examples. The first one is shown initially. */
const RECIPES = [
  'directory',
  'member-page',
  'member-form',
  'update-member',
  'department-roster',
  'form-answers',
  'form-table',
  'create-or-join',
  'calendar',
  'live-department',
] as const;

const FOLDER = new URL('../../../docs/cookbook/', import.meta.url);

/** A recipe of the cookbook. */
export type CookbookRecipe = Recipe<(typeof RECIPES)[number]>;

/** Reads the cookbook: for each recipe `cookbook/NAME.graphql`, whose comments describe it, and, if it has variables, `cookbook/NAME.json`. */
export function readCookbook(): Promise<CookbookRecipe[]> {
  return Promise.all(
    RECIPES.map(async (name) => {
      const file = await readFile(new URL(`${name}.graphql`, FOLDER), 'utf8');
      const [comments = ''] = /^(?:#.*\n)*/.exec(file) ?? [];
      return {
        name,
        description: comments.replaceAll(/^# ?/gm, '').trim(),
        query: file.slice(comments.length).trim(),
        variables: await readFile(new URL(`${name}.json`, FOLDER), 'utf8').catch(ignoreMissing),
      };
    }),
  );
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
