import type { ApiKey } from '../../../domain/admin/api-key.ts';
import type { Rotation } from '../../../domain/admin/api-key-rotation.ts';
import type { Scope } from '../../../domain/core/scopes.ts';
import { copyable } from '../../../pages/copyable.ts';
import { curlCommand } from '../../../pages/curl.ts';
import { formatTime } from '../../../pages/dates.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { HtmlPage } from '../../../pages/layout.ts';
import type { DeveloperContext } from '../../context.ts';
import { pathOf } from '../../paths.ts';
import type { OrganizationVisit } from '../../session/visit.ts';
import { organizationPage } from '../frame.ts';

interface NewKey {
  readonly key: string;
  readonly created: ApiKey;
  /** The key that it replaces, after a rotation. */
  readonly replaces?: Rotation['replaces'];
}

/** The page that shows a new key. No other page shows it. */
export function createdKeyPage(
  visit: OrganizationVisit,
  site: DeveloperContext['site'],
  { key, created, replaces }: NewKey,
): HtmlPage {
  return organizationPage(visit, {
    title: 'Your new API key',
    main: html`
      <h1>Your new API key</h1>
      <p class="notice warn" role="status">“<bdi>${created.name}</bdi>” was ${replaces ? 'rotated' : 'created'}. <strong>Copy the key
        now.</strong> You won’t see it again, because only a hash of it is stored.</p>
      <h2>${created.name}</h2>
      ${copyable('key', 'the key', key)}
      <h2>Try it</h2>
      <p>In a terminal:</p>
      ${copyable('curl', 'the request', curlCommand(site.baseAddress(visit.c), samplePath(created.scopes), key))}
      ${tryItLinks(site)}
      ${replaces && replacement(replaces, visit.organization.time_zone)}
      <div class="actions">
        <a class="button primary" href="${pathOf(visit.organization.id)}">I have copied it</a>
        <a class="button" href="${pathOf(visit.organization.id, 'keys', created.id)}">View key</a>
      </div>`,
  });
}

/**
 * Links to the served pages that send requests. They are hidden without JavaScript, which is needed to pass the key to
 * them. They open in a new tab, because this page cannot be opened again.
 */
function tryItLinks({ navigation }: DeveloperContext['site']): Html {
  const link = (path: string, label: string) =>
    navigation.some((item) => item.path === path) &&
    html`<a class="button" href="${path}" target="_blank" rel="opener" data-key="key" hidden>${label}<span
          class="visually-hidden"> (opens another tab)</span></a>`;
  return html`<div class="actions">${link('/graphql', 'Try it in GraphiQL')}${link('/docs', 'Try it in the reference')}</div>`;
}

function replacement({ state, expires_at }: Rotation['replaces'], timeZone: string): Html {
  return state === 'revoked' || expires_at === null
    ? html`<p>The replaced key is revoked.</p>`
    : html`<p>The replaced key works until ${formatTime(expires_at, timeZone)}. Switch to the new one before then.</p>`;
}

/** A sample read of each scope. */
const SAMPLE_READS: readonly (readonly [Scope, string])[] = [
  ['members.view', '/v1/members?limit=2'],
  ['events.view', '/v1/events?limit=2'],
  ['services.view', '/v1/services?limit=2'],
  ['departments.view', '/v1/departments?limit=2'],
  ['forms.view', '/v1/forms?limit=2'],
  ['tags.view', '/v1/tags?limit=2'],
];

/** A sample request that the scopes allow; `viewer` needs none. */
function samplePath(scopes: readonly Scope[]): string {
  const [, path] = SAMPLE_READS.find(([scope]) => scopes.includes(scope)) ?? [];
  return path ?? `/graphql?query=${encodeURIComponent('{viewer{keyName scopes}}')}`;
}
