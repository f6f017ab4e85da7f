import type { ApiKey } from '../../../domain/admin/api-key.ts';
import { type Html, html } from '../../../pages/html.ts';

/** A key that expires within this time is marked, as a reminder to rotate it. */
const EXPIRES_SOON_MS = 14 * 86_400_000;

/** A badge for a key that is not plainly active: it has ended, was replaced (and may still be valid), or expires soon. */
export function stateBadge({ state, replaced_by, expires_at }: ApiKey): Html | false {
  if (state !== 'active') return html`<span class="badge ${state}">${state}</span>`;
  if (replaced_by !== null) return html`<span class="badge rotating">rotating</span>`;
  const expiresSoon = expires_at !== null && Date.parse(expires_at) < Date.now() + EXPIRES_SOON_MS;
  return expiresSoon && html`<span class="badge soon">expires soon</span>`;
}

/** The first characters of the key. */
export function formatPrefix({ prefix }: Pick<ApiKey, 'prefix'>): string {
  return `${prefix ?? 'cms_'}…`;
}
