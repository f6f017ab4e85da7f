import { copyable } from './copyable.ts';
import { curlCommand } from './curl.ts';
import { html } from './html.ts';
import { type NavigationItem, type Page, SERVICE_NAME } from './layout.ts';

/**
 * The page at `/`, with the navigation and a sample request.
 *
 * @param demoKey the key in the sample request. If it is undefined, the request has a placeholder.
 */
export function startPage(
  navigation: readonly NavigationItem[],
  baseAddress: string,
  demoKey: string | undefined,
): Page {
  const request = curlCommand(baseAddress, '/v1/members?limit=2', demoKey ?? 'YOUR_API_KEY');
  return {
    title: SERVICE_NAME,
    main: html`
      <h1>Community records through REST and GraphQL</h1>
      <p class="lead">Members, tags, prayer requests, forms and responses, events, services and departments of
        organizations, available through two APIs that share API keys, scopes and rate limits.</p>
      <ul class="cards">${navigation.map(
        ({ path, name, description }) => html`
          <li class="card"><h2><a href="${path}">${name}</a></h2><p>${description}</p></li>`,
      )}
      </ul>
      <h2>Try it</h2>
      <p>${
        demoKey === undefined
          ? 'Every request needs an API key, which gives access to the records of one organization:'
          : 'In a terminal, with the key of the demo organization:'
      }</p>
      ${copyable('try-it', 'the request', request)}`,
  };
}
