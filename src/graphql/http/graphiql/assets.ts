import { type Assets, createAssets } from '../../../pages/assets.ts';

const JAVASCRIPT = 'text/javascript; charset=utf-8';

/**
 * GraphiQL as Yoga packs it (with the explorer), taken apart into files that browsers can cache. Its own
 * page holds all of them inline, nine megabytes on every visit.
 *
 * @param start the script that starts it.
 */
export function graphiqlAssets(start: string): Assets {
  return createAssets(async () => {
    const packed = await import('@graphql-yoga/render-graphiql/graphiql');
    const icon = Buffer.from(packed.favicon.slice(packed.favicon.indexOf(',') + 1), 'base64');
    return [
      { name: 'graphiql.js', type: JAVASCRIPT, content: packed.js },
      { name: 'editor.worker.js', type: JAVASCRIPT, content: packed.editorWorkerService },
      { name: 'json.worker.js', type: JAVASCRIPT, content: packed.jsonWorker },
      { name: 'graphql.worker.js', type: JAVASCRIPT, content: packed.graphqlWorker },
      { name: 'graphiql.css', type: 'text/css; charset=utf-8', content: packed.css },
      { name: 'favicon.ico', type: 'image/x-icon', content: icon },
      { name: 'start.js', type: JAVASCRIPT, content: start },
    ];
  });
}
