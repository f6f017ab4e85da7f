import { setImmediate as nextTurn } from 'node:timers/promises';
import { Hono } from 'hono';
import type { RequestEnv } from '../../http/request/request-env.ts';
import { createPublicAssets } from '../assets.ts';
import { dataModel } from './drawing.ts';
import { inlineVariables, type OperationRequest } from './graphql/document.ts';
import { type GraphQLReferenceOptions, graphqlReference } from './graphql/reference.ts';
import { addReferenceRoutes, type ReferenceRoutesOptions } from './reference-routes.ts';
import { readDescription } from './rest/description.ts';
import { restReference } from './rest/reference.ts';
import { type SampleRequest, sampleRequest } from './rest/request-samples.ts';
import type { ReferenceHeading } from './section.ts';

export interface ReferenceOptions extends Pick<ReferenceRoutesOptions, 'site' | 'charge'> {
  /** The OpenAPI document, as JSON. */
  readonly openApi: () => string;
  /** The GraphQL operation that does the same as a REST request; undefined if there is none. */
  readonly graphqlEquivalent: (request: SampleRequest) => Promise<OperationRequest | undefined>;
  readonly graphql: Pick<GraphQLReferenceOptions, 'schema' | 'costOf' | 'recipes' | 'graphiql'>;
  /** Filled in on the pages, so that every operation can be tried. */
  readonly demoKey: string | undefined;
}

const REST: ReferenceHeading = { path: '/docs', title: 'REST API reference' };
const GRAPHQL: ReferenceHeading = { path: '/docs/graphql', title: 'GraphQL API reference' };

/**
 * The references of the REST API at `/docs` and of the GraphQL API at `/docs/graphql`, each with a search, without
 * authentication. Only searches, and pages for many addresses of the service, are rate-limited. Each page is rendered when
 * it is first requested, in several turns of the event loop, because other requests would otherwise wait for 100 ms.
 */
export function createReference(options: ReferenceOptions): Hono<RequestEnv> {
  const { site, charge, openApi, graphqlEquivalent, graphql, demoKey } = options;
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
  const assets = createPublicAssets('reference', 'reference.js', 'try-it.js');
  const routes = new Hono<RequestEnv>();
  routes.route('/assets', assets.routes);
  const common = { site, charge, assets, demoKey };
  addReferenceRoutes(routes, { ...common, heading: REST, other: GRAPHQL }, async () => {
    const { description, equivalents } = await describe();
    return restReference(description, equivalents, dataModel(graphql.schema));
  });
  addReferenceRoutes(routes, { ...common, heading: GRAPHQL, other: REST }, async () => {
    const { description, equivalents } = await describe();
    const documents = description.operations.flatMap((rest) => {
      const document = equivalents.get(rest.id);
      return document === undefined ? [] : [{ rest, document }];
    });
    return graphqlReference({ ...graphql, equivalents: documents });
  });
  return routes;
}
