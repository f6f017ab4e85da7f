import { copyable } from './copyable.ts';
import { curlLine } from './curl.ts';
import { html } from './html.ts';
import { type Page, SERVICE_NAME, type Way } from './layout.ts';

/**
 * The page at `/`: what this is, and where to go.
 *
 * @param demoKey shown in a request that works; without one the request has a place for a key.
 */
export function startPage(ways: readonly Way[], baseAddress: string, demoKey: string | undefined): Page {
  const request = curlLine(baseAddress, '/v1/members?limit=2', demoKey ?? 'YOUR_API_KEY');
  return {
    title: SERVICE_NAME,
    main: html`
      <h1>Community records, by REST and by GraphQL</h1>
      <p class="lead">Members, tags, prayer requests, forms and responses, events, services and departments of
        organizations: stored once, behind two APIs that share keys, scopes and limits.</p>
      <ul class="cards">${ways.map(
        ({ path, name, about }) => html`
          <li class="card"><h2><a href="${path}">${name}</a></h2><p>${about}</p></li>`,
      )}
      </ul>
      <h2>Try it</h2>
      <p>${
        demoKey === undefined
          ? 'Every request carries an API key, which decides whose records it opens:'
          : 'In a terminal, with the key of the demo organization:'
      }</p>
      ${copyable('try-it', 'the request', request)}`,
  };
}
