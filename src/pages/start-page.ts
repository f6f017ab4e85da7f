import type { GraphQLSchema } from 'graphql';
import type { Context } from 'hono';
import { quantity } from '../domain/values/words.ts';
import type { RequestEnv } from '../http/request/request-env.ts';
import { memoizeAsync } from '../http/response/memoize-async.ts';
import { curlCommand } from './curl.ts';
import { copyable, type Html, html } from './html.ts';
import { dataModel } from './reference/drawing.ts';
import { drawing, example } from './reference/elements.ts';
import { readDescription } from './reference/rest/description.ts';
import { type HtmlPage, SERVICE_NAME, type Site } from './site.ts';

export interface StartPageOptions {
  readonly site: Pick<Site, 'navigation' | 'baseAddress' | 'respond'>;
  /** The OpenAPI document, as JSON. */
  readonly openApi: () => string;
  readonly graphql: {
    readonly schema: GraphQLSchema;
    /** What a document would do, as GraphiQL shows it. */
    readonly explain: (document: string) => Explanation;
  };
  /** The key in the sample request. If it is undefined, the request has a placeholder. */
  readonly demoKey: string | undefined;
}

interface Explanation {
  readonly cost: number;
  readonly scopes: readonly string[];
  readonly records: string;
}

/** What is the same in all responses. */
interface Samples {
  /** A request that returns one member of the demo organization. */
  readonly path: string;
  readonly explanation: Explanation;
  /** The data model as SVG. */
  readonly model: string;
}

const QUERY = `{
  members(first: 5) {
    nodes {
      firstName
      tags { name }
      departments { name }
    }
  }
}`;

/** Creates the handler of `/`: what the service is, a request, a query with its cost, the data model, and links to the other pages. */
export function createStartPage({ site, openApi, graphql, demoKey }: StartPageOptions) {
  const samples = memoizeAsync(async () => ({
    path: pathOf(openApi()),
    explanation: graphql.explain(QUERY),
    model: dataModel(graphql.schema),
  }));
  return async (c: Context<RequestEnv>): Promise<Response> =>
    site.respond(c, startPage(site, await samples(), site.baseAddress(c), demoKey));
}

/** The example of `listMembers` in the reference, with a filter that finds exactly the member of this example. */
function pathOf(openApi: string): string {
  const list = readDescription(openApi).operations.find(({ id }) => id === 'listMembers');
  const answer = list?.response.example as { readonly data: readonly [{ readonly email_address: string }] };
  return `${list?.path}?email_address=${answer.data[0].email_address}`;
}

function startPage(
  { navigation }: StartPageOptions['site'],
  { path, explanation, model }: Samples,
  address: string,
  demoKey: string | undefined,
): HtmlPage {
  const served = (path: string) => navigation.some((item) => item.path === path);
  const graphql = ['/docs/graphql', '/graphql'].find(served);
  const graphiql = served('/graphql') && html`, and <a href="/graphql">GraphiQL</a> to run them in`;
  const link = html`. <a href="/graphql#${new URLSearchParams({ query: QUERY })}">Open in GraphiQL</a>`;
  const graphiqlLink = served('/graphql') && link;
  return {
    title: SERVICE_NAME,
    main: html`
      <div class="start">
        <div>
          <h1>Community records through REST and GraphQL</h1>
          <p class="lead">Members, tags, prayer requests, forms and responses, events, services and departments of
            organizations: the same records through two APIs, with the same keys, scopes and rate limits.</p>
          <ul class="cards">
            ${served('/docs') && card('/docs', 'REST', 'Each operation with its fields, errors, samples and a form to try it.')}
            ${graphql && card(graphql, 'GraphQL', html`Queries, mutations and types${graphiql}. Recipes for common tasks.`)}
            ${served('/developer') && card('/developer', 'API keys', 'Create, monitor, rotate and revoke your organization’s keys.')}
          </ul>
        </div>
        <section>
          <h2>One request</h2>
          <p class="muted">${
            demoKey === undefined
              ? 'Every request needs an API key, which gives access to the records of one organization.'
              : 'It works in a terminal: the key is that of the demo organization.'
          }</p>
          ${copyable('try-it', 'the request', curlCommand(address, path, demoKey ?? 'YOUR_API_KEY'))}
          ${example('The same records in GraphQL, with their tags and departments', 'GraphQL', QUERY)}
          <p class="muted"><strong>Cost</strong> ${quantity(explanation.cost, 'point')} · <strong>Scopes</strong> ${explanation.scopes.join(', ')} ·
            <strong>Records</strong> ${explanation.records}${graphiqlLink}</p>
          ${drawing(model, 'The data model: records, and the fields that lead from one to another')}
        </section>
      </div>`,
  };
}

function card(path: string, name: string, description: Html | string): Html {
  return html`<li class="card"><h2><a href="${path}">${name}</a></h2><p>${description}</p></li>`;
}
