import type { ApiKey } from '../../../domain/admin/api-key.ts';
import { type Html, html } from '../../../pages/html.ts';

/** Whether the key is accepted. */
export function isUsable(key: ApiKey): boolean {
  return key.state === 'active';
}

/** A badge for a key that is not plainly active: it has ended, was replaced, or expires soon. */
export function exceptionBadge(key: ApiKey): Html | false {
  return isUsable(key) && key.replaced_by === null ? expiresSoonBadge(key) : stateBadge(key);
}

/** The state as a badge; `rotating`: replaced, but still valid during the overlap. */
export function stateBadge(key: ApiKey): Html {
  const state = isUsable(key) && key.replaced_by !== null ? 'rotating' : key.state;
  return html`<span class="badge ${state}">${state}</span>`;
}

/** A key that expires within this time is marked, as a reminder to rotate it. */
const EXPIRES_SOON_MS = 14 * 86_400_000;

/** A badge for a key that expires soon. Not for a rotated key, because it is already replaced. */
export function expiresSoonBadge(key: ApiKey): Html | false {
  const { expires_at, replaced_by } = key;
  if (!isUsable(key) || replaced_by !== null || expires_at === null) return false;
  return Date.parse(expires_at) < Date.now() + EXPIRES_SOON_MS && html` <span class="badge soon">expires soon</span>`;
}

/** The first characters of the key. */
export function formatPrefix({ prefix }: Pick<ApiKey, 'prefix'>): string {
  return `${prefix ?? 'cms_'}…`;
}
