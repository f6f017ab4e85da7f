import type { ApiKey } from '../../domain/admin/api-key.ts';
import { type Html, html } from '../../pages/html.ts';

/** As people see it: a key that was rotated works beside its successor until it ends. */
type ShownState = ApiKey['state'] | 'rotating';

/** The state that a key is shown in. */
function shownState({ state, replaced_by }: ApiKey): ShownState {
  return state === 'active' && replaced_by !== null ? 'rotating' : state;
}

/** Whether requests with it are answered. */
export function works(key: ApiKey): boolean {
  return key.state === 'active';
}

/** The state in a word, in its color. */
export function stateBadge(key: ApiKey): Html {
  const state = shownState(key);
  return html`<span class="badge ${state}">${state}</span>`;
}

/** How the key begins. */
export function prefixOf({ prefix }: Pick<ApiKey, 'prefix'>): string {
  return `${prefix ?? 'cms_'}…`;
}
