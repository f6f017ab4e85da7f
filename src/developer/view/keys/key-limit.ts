import { html } from '../../../pages/html.ts';
import type { Page } from '../../../pages/layout.ts';
import { pathOf } from '../../parts.ts';
import type { OrganizationVisit } from '../../visit.ts';
import { organizationPage } from '../frame.ts';

/** The page for an organization with the maximum number of active keys. */
export function keyLimitPage(visit: OrganizationVisit, problem: string): Page {
  return organizationPage(visit, {
    title: 'Too many keys',
    main: html`
      <h1>Too many keys</h1>
      <p class="lead">No key was created. ${problem}. Keys that are revoked or expired do not count.</p>
      <p><a class="button" href="${pathOf(visit.organization.id)}">Back to the keys</a></p>`,
  });
}
