import { readdir, readFile } from 'node:fs/promises';
import { type GraphQLSchema, introspectionFromSchema } from 'graphql';
import { type Assets, createAssets } from '../../pages/assets.ts';

/** The output of `npm run build:graphiql`, which bundles the folder `browser`. */
const FILES = new URL('../../../dist/graphiql/', import.meta.url);

/** The files of GraphiQL, and `schema.json`, the introspection of the schema. */
export function graphiqlAssets(schema: GraphQLSchema): Assets {
  return createAssets(async () => {
    const names = (await readdir(FILES)).filter((name) => /\.(?:js|css|ttf|json)$/.test(name)).sort();
    const files = await Promise.all(
      names.map(async (name) => ({
        name,
        content: await readFile(new URL(name, FILES)),
      })),
    );
    const introspection = JSON.stringify({ data: introspectionFromSchema(schema) });
    return [...files, { name: 'schema.json', content: introspection }];
  });
}
