import type { ApiKey } from '../../domain/admin/api-key.ts';
import type { Rotation } from '../../domain/admin/api-key-rotation.ts';
import type { Scope } from '../../domain/core/scopes.ts';
import { copyable } from '../../pages/copyable.ts';
import { curlLine } from '../../pages/curl.ts';
import { type Html, html, nothing } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { pathOf } from '../parts.ts';
import type { OrganizationVisit } from '../visit.ts';
import { organizationPage } from './frame.ts';
import { moment } from './moment.ts';

interface Shown {
  /** The key itself. */
  readonly key: string;
  readonly made: ApiKey;
  /** The address under which the service was reached. */
  readonly address: string;
  /** The key that it replaces, where it was rotated. */
  readonly replaces?: Rotation['replaces'];
}

/** The one page that a key ever stands on. */
export function shownOncePage(visit: OrganizationVisit, { key, made, address, replaces }: Shown): Page {
  return organizationPage(visit, {
    title: 'Your new API key',
    main: html`
      <h1>Your new API key</h1>
      <p class="notice warn" role="status"><strong>Copy it now.</strong> It is shown this once; only a hash of it is
        kept, and nobody can show it again.</p>
      <h2>${made.name}</h2>
      ${copyable('key', 'the key', key)}
      <h2>Try it</h2>
      <p>In a terminal:</p>
      ${copyable('curl', 'the request', curlLine(address, samplePath(made.scopes), key))}
      ${replaces ? replacement(replaces) : nothing}
      <div class="actions">
        <a class="button primary" href="${pathOf(visit.organization.id)}">I have copied it</a>
        <a class="button" href="${pathOf(visit.organization.id, 'keys', made.id)}">To the key</a>
      </div>`,
  });
}

function replacement({ state, expires_at }: Rotation['replaces']): Html {
  return state === 'revoked' || expires_at === null
    ? html`<p>The key that it replaces is revoked now.</p>`
    : html`<p>The key that it replaces works until ${moment(expires_at)}. Change over to the new one until then.</p>`;
}

/** A read that each scope opens. */
const READS: readonly (readonly [Scope, string])[] = [
  ['members.view', '/v1/members?limit=2'],
  ['events.view', '/v1/events?limit=2'],
  ['services.view', '/v1/services?limit=2'],
  ['departments.view', '/v1/departments?limit=2'],
  ['forms.view', '/v1/forms?limit=2'],
  ['tags.view', '/v1/tags?limit=2'],
];

/** A request that this key can make: a list that its scopes open, or else the key about itself, which needs none. */
function samplePath(scopes: readonly Scope[]): string {
  const [, path] = READS.find(([scope]) => scopes.includes(scope)) ?? [];
  return path ?? `/graphql?query=${encodeURIComponent('{viewer{keyName scopes}}')}`;
}
