import { setImmediate as nextTurn } from 'node:timers/promises';
import { Hono } from 'hono';
import { once } from '../../http/once.ts';
import type { RequestEnv } from '../../http/request-env.ts';
import { createStaticResponse } from '../../http/static-response.ts';
import { createPublicAssets } from '../assets.ts';
import { html } from '../html.ts';
import type { Page } from '../layout.ts';
import type { Site } from '../site.ts';
import { inlineVariables, type OperationRequest } from './graphql/equivalent.ts';
import { type GraphQLPageOptions, graphqlPage } from './graphql/page.ts';
import { readDescription } from './rest/description.ts';
import { restPage } from './rest/page.ts';
import { type SampleRequest, sampleRequest } from './rest/request-samples.ts';

export interface ReferenceOptions {
  readonly site: Pick<Site, 'render'>;
  /** The OpenAPI document, as JSON. */
  readonly openApi: () => string;
  /** The GraphQL operation that does the same as a REST request; undefined if there is none. */
  readonly graphqlEquivalent: (request: SampleRequest) => Promise<OperationRequest | undefined>;
  readonly graphql: Pick<GraphQLPageOptions, 'schema' | 'costOf' | 'recipes' | 'graphiql'>;
  /** Filled in, so that every operation can be tried. */
  readonly demoKey: string | undefined;
}

/**
 * The references of the REST API at `/docs` and of the GraphQL API at `/docs/graphql`, without authentication and rate
 * limiting. Each page is rendered and compressed when it is first requested. This is done in several turns of the event
 * loop, because it includes compiling the code, and other requests would otherwise wait for 100 ms.
 */
export function createReference(options: ReferenceOptions): Hono<RequestEnv> {
  const { site, openApi, graphqlEquivalent, graphql, demoKey } = options;
  const assets = createPublicAssets('reference', 'reference.js', 'try-it.js');
  const serve = (current: string, page: () => Promise<Pick<Page, 'title' | 'main'>>) =>
    once(async () => {
      const folder = `/docs/assets/${await assets.version()}`;
      const { body, headers } = await site.render({
        ...(await page()),
        current,
        // The forms send requests to the APIs.
        policy: { 'connect-src': "'self'" },
        files: html`<link rel="stylesheet" href="${folder}/reference.css">
  <script src="${folder}/reference.js" defer></script>
  <script src="${folder}/try-it.js" defer></script>`,
      });
      return createStaticResponse(body, { 'Content-Type': 'text/html; charset=utf-8', ...headers });
    });
  const describe = async () => {
    const description = readDescription(openApi());
    const equivalents = new Map<string, string>();
    for (const operation of description.operations) {
      await nextTurn();
      const equivalent = await graphqlEquivalent(sampleRequest(operation));
      if (equivalent) equivalents.set(operation.id, inlineVariables(graphql.schema, equivalent));
    }
    await nextTurn();
    return { description, equivalents };
  };
  const rest = serve('/docs', async () => restPage({ ...(await describe()), demoKey }));
  const graphqlReference = serve('/docs/graphql', async () => {
    const { description, equivalents } = await describe();
    const documents = description.operations.flatMap((rest) => {
      const document = equivalents.get(rest.id);
      return document === undefined ? [] : [{ rest, document }];
    });
    return graphqlPage({ ...graphql, equivalents: documents, demoKey });
  });
  const routes = new Hono<RequestEnv>();
  routes.get('/', async (c) => (await rest())(c));
  routes.get('/graphql', async (c) => (await graphqlReference())(c));
  routes.route('/assets', assets.routes);
  return routes;
}
