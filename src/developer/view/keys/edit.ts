import type { ApiKey } from '../../../domain/admin/api-key.ts';
import type { FieldError } from '../../../domain/core/errors.ts';
import { html } from '../../../pages/html.ts';
import type { Page } from '../../../pages/layout.ts';
import { pathOf } from '../../paths.ts';
import type { OrganizationVisit } from '../../visit.ts';
import { sessionForm } from '../form.ts';
import { organizationPage, problemNotice } from '../frame.ts';
import { type KeyTexts, keyTextFields } from './key-texts.ts';

/**
 * The form for the name and the description of a key.
 *
 * @param input the entered values; at first, the current values.
 */
export function editPage(
  visit: OrganizationVisit,
  key: ApiKey,
  input: KeyTexts,
  problems: readonly FieldError[] = [],
): Page {
  const back = pathOf(visit.organization.id, 'keys', key.id);
  return organizationPage(visit, {
    title: `Edit ${key.name}`,
    main: html`
      <h1>Edit “<bdi>${key.name}</bdi>”</h1>
      <p class="lead">The key itself stays the same, and keeps working.</p>
      ${problemNotice(problems.length > 0 ? 'Nothing was changed. Correct the fields below.' : undefined)}
      ${sessionForm(visit, { path: `${back}/edit`, submit: 'Save', cancel: back }, keyTextFields(input, problems))}`,
  });
}
