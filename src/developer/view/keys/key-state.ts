import type { ApiKey } from '../../../domain/admin/api-key.ts';
import { type Html, html } from '../../../pages/html.ts';

/** The displayed state; `rotating`: replaced, but still valid during the overlap. */
type DisplayState = ApiKey['state'] | 'rotating';

/** The displayed state of a key. */
function displayState({ state, replaced_by }: ApiKey): DisplayState {
  return state === 'active' && replaced_by !== null ? 'rotating' : state;
}

/** Whether the key is accepted. */
export function isUsable(key: ApiKey): boolean {
  return key.state === 'active';
}

/** The state as a badge. */
export function stateBadge(key: ApiKey): Html {
  const state = displayState(key);
  return html`<span class="badge ${state}">${state}</span>`;
}

/** The first characters of the key. */
export function formatPrefix({ prefix }: Pick<ApiKey, 'prefix'>): string {
  return `${prefix ?? 'cms_'}…`;
}
