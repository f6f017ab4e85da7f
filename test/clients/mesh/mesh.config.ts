import { defineConfig } from '@graphql-mesh/compose-cli';
import { loadOpenAPISubgraph } from '@omnigraph/openapi';

export const composeConfig = defineConfig({
  subgraphs: [
    {
      sourceHandler: loadOpenAPISubgraph('community', {
        source: '../../openapi.json',
        endpoint: 'http://127.0.0.1:4000/v1',
        operationHeaders: { 'X-Api-Key': '{context.headers["x-api-key"]}' },
      }),
    },
  ],
});
