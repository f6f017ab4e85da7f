import type { ApiKey } from '../../../domain/admin/api-key.ts';
import { html } from '../../../pages/html.ts';
import type { Page } from '../../../pages/layout.ts';
import { pathOf } from '../../parts.ts';
import type { OrganizationVisit } from '../../visit.ts';
import { csrfField, organizationPage, problemNotice } from '../frame.ts';

/**
 * The form for the name of a key.
 *
 * @param input what was entered before; the current name at first.
 */
export function renamePage(visit: OrganizationVisit, key: ApiKey, input: string, problem?: string): Page {
  const back = pathOf(visit.organization.id, 'keys', key.id);
  return organizationPage(visit, {
    title: `Rename ${key.name}`,
    main: html`
      <h1>Rename “${key.name}”</h1>
      <p class="lead">The key itself stays the same, and keeps working.</p>
      ${problemNotice(problem)}
      <form class="panel narrow" method="post" action="${back}/rename">
        ${csrfField(visit)}
        <div class="field">
          <label for="name">Name</label>
          <input id="name" name="name" value="${input}" required maxlength="255" autocomplete="off">
        </div>
        <div class="actions">
          <button class="button primary">Save</button>
          <a class="button" href="${back}">Cancel</a>
        </div>
      </form>`,
  });
}
