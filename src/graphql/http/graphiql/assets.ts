import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { type Assets, createAssets } from '../../../pages/assets.ts';

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const FILES = new URL('../../../../src/pages/public/', import.meta.url);

/** A CommonJS module that exports the text of each file. Found when the service starts, read when it is asked for. */
const PACKED = createRequire(import.meta.url).resolve('@graphql-yoga/render-graphiql/graphiql');

type Packed = typeof import('@graphql-yoga/render-graphiql/graphiql');

/**
 * GraphiQL as Yoga packs it (with the explorer), taken apart into files that browsers can cache. Its own
 * page holds all of them inline, nine megabytes on every visit.
 */
export function graphiqlAssets(): Assets {
  return createAssets(async () => {
    const packed = await readPacked();
    const icon = Buffer.from(packed.favicon.slice(packed.favicon.indexOf(',') + 1), 'base64');
    return [
      { name: 'graphiql.js', type: JAVASCRIPT, content: packed.js },
      { name: 'editor.worker.js', type: JAVASCRIPT, content: packed.editorWorkerService },
      { name: 'json.worker.js', type: JAVASCRIPT, content: packed.jsonWorker },
      { name: 'graphql.worker.js', type: JAVASCRIPT, content: packed.graphqlWorker },
      { name: 'graphiql.css', type: CSS, content: packed.css },
      { name: 'favicon.ico', type: 'image/x-icon', content: icon },
      { name: 'page.css', type: CSS, content: await readFile(new URL('graphiql.css', FILES)) },
      { name: 'start.js', type: JAVASCRIPT, content: await readFile(new URL('graphiql.js', FILES)) },
    ];
  });
}

/** Not by `import()`: Node.js never tries again to load a module that could not be read once. */
async function readPacked(): Promise<Packed> {
  const exports = {};
  compileFunction(await readFile(PACKED, 'utf8'), ['exports'])(exports);
  return exports as Packed;
}
