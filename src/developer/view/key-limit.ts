import { html } from '../../pages/html.ts';
import type { Page } from '../../pages/layout.ts';
import { pathOf } from '../parts.ts';
import type { OrganizationVisit } from '../visit.ts';
import { organizationPage } from './frame.ts';

/** A key that was not made, because the organization has as many as it may have. */
export function keyLimitPage(visit: OrganizationVisit, problem: string): Page {
  return organizationPage(visit, {
    title: 'There are too many keys',
    main: html`
      <h1>There are too many keys</h1>
      <p class="lead">No key was created. ${problem}. Keys that are revoked or expired do not count.</p>
      <p><a class="button" href="${pathOf(visit.organization.id)}">To the keys</a></p>`,
  });
}
