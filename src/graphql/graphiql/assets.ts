import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { type GraphQLSchema, introspectionFromSchema } from 'graphql';
import { type Assets, createAssets } from '../../pages/assets.ts';

/** The output of `npm run build:graphiql`, which bundles the folder `browser`. */
const FILES = new URL('../../../dist/graphiql/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ttf': 'font/ttf',
  '.json': 'application/json',
};

/** The files of GraphiQL, and `schema.json`, the introspection of the schema. */
export function graphiqlAssets(schema: GraphQLSchema): Assets {
  return createAssets(async () => {
    const names = (await readdir(FILES)).filter((name) => TYPES[extname(name)]).sort();
    const files = await Promise.all(
      names.map(async (name) => ({
        name,
        type: TYPES[extname(name)] as string,
        content: await readFile(new URL(name, FILES)),
      })),
    );
    const introspection = JSON.stringify({ data: introspectionFromSchema(schema) });
    return [...files, { name: 'schema.json', type: 'application/json', content: introspection }];
  });
}
