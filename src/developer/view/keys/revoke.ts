import type { ApiKey } from '../../../domain/admin/api-key.ts';
import { formatTime } from '../../../pages/dates.ts';
import { html } from '../../../pages/html.ts';
import type { Page } from '../../../pages/layout.ts';
import { pathOf } from '../../paths.ts';
import type { OrganizationVisit } from '../../visit.ts';
import { confirmation } from '../form.ts';
import { organizationPage, outcomePage } from '../frame.ts';
import { formatPrefix } from './key-state.ts';

/** The confirmation of revoking a key. */
export function revokePage(visit: OrganizationVisit, key: ApiKey): Page {
  const back = pathOf(visit.organization.id, 'keys', key.id);
  if (key.state === 'revoked') {
    const message = 'Every request with it is refused, permanently.';
    const heading = html`“<bdi>${key.name}</bdi>” is revoked`;
    return outcomePage(visit, `“${key.name}” is revoked`, message, { path: back, label: 'View key', heading });
  }
  return organizationPage(visit, {
    title: `Revoke ${key.name}`,
    main: html`
      <h1>Revoke “<bdi>${key.name}</bdi>”?</h1>
      <p class="lead">Every further request with the key <code>${formatPrefix(key)}</code> will be refused. This cannot
        be undone. Its history is kept.</p>
      <p>${key.last_used_at ? html`It was last used ${formatTime(key.last_used_at)}.` : 'It was never used.'}</p>
      ${confirmation(visit, { path: `${back}/revoke`, submit: 'Revoke the key', cancel: back })}`,
  });
}
