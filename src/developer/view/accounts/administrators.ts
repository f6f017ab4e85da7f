import type { Administrator } from '../../../domain/accounts/administrator.ts';
import type { FieldError } from '../../../domain/core/errors.ts';
import { MAX_SHORT_TEXT_CHARACTERS } from '../../../domain/values/limits.ts';
import { copyable } from '../../../pages/copyable.ts';
import { formatRelative } from '../../../pages/dates.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { HtmlPage } from '../../../pages/layout.ts';
import { pathOf } from '../../paths.ts';
import type { OrganizationVisit } from '../../session/visit.ts';
import { confirmation, field, problemOf, sessionForm, textField } from '../form.ts';
import { doneNotice, formPage, organizationPage } from '../frame.ts';

interface Rejected {
  readonly email: string;
  readonly name: string | null;
  readonly problems: readonly FieldError[];
}

/** The administrators of an organization, newest first, and the form that invites another one. */
export function administratorsPage(
  visit: OrganizationVisit,
  administrators: readonly Administrator[],
  rejected?: Rejected,
): HtmlPage {
  const { organization } = visit;
  const { problems = [] } = rejected ?? {};
  const page = {
    title: `Administrators of ${organization.name}`,
    main: html`
      <h1>Administrators</h1>
      <p class="lead">Administrators manage the API keys of <bdi>${organization.name}</bdi> on these pages.</p>
      ${doneNotice(visit, 'removed', 'The administrator was removed.')}
      ${
        administrators.length === 0
          ? html`<p class="empty">There are no administrators.</p>`
          : html`<ul class="rows">${administrators.map((one) => row(visit, one))}</ul>`
      }
      <h2>Invite an administrator</h2>
      ${sessionForm(
        visit,
        { path: pathOf(organization.id, 'administrators'), submit: 'Invite' },
        html`${field({
          id: 'email',
          label: 'Email address',
          problem: problemOf(problems, 'email'),
          hint: 'No email is sent. You get a link, which you pass on.',
          attributes: html`type="email" value="${rejected?.email ?? ''}" required maxlength="${MAX_SHORT_TEXT_CHARACTERS}" autocomplete="off"`,
        })}${textField({ id: 'name', label: 'Name (optional)', value: rejected?.name ?? '', problems })}`,
      )}`,
  };
  return organizationPage(visit, formPage(page, problems));
}

function row(
  { organization, account }: OrganizationVisit,
  { id, name, email, state, created_at }: Administrator,
): Html {
  const isSelf = account.kind === 'administrator' && account.id === id;
  return html`<li>
        <div><strong>${name ?? email}</strong>${isSelf ? ' (you)' : ''}
        <span class="muted">${name === null ? '' : `${email} · `}${
          state === 'invited' ? 'invited' : 'added'
        } ${formatRelative(created_at, organization.time_zone)}</span></div>
        <a class="button small danger" href="${pathOf(organization.id, 'administrators', id, 'remove')}">Remove<span
          class="visually-hidden"> ${name ?? email}</span></a>
      </li>`;
}

/** The page that shows the link of an invited administrator. No other page shows it. */
export function invitationPage(visit: OrganizationVisit, { name, email }: Administrator, link: string): HtmlPage {
  return organizationPage(visit, {
    title: `Invitation of ${email}`,
    main: html`
      <h1><bdi>${name ?? email}</bdi> was invited</h1>
      <p class="notice warn" role="status"><strong>Copy this link now.</strong> You won’t see it again. It works once,
        within seven days, and sets the password of ${email}.</p>
      ${copyable('link', 'the link', link)}
      <div class="actions">
        <a class="button primary" href="${pathOf(visit.organization.id, 'administrators')}">I have copied it</a>
      </div>`,
  });
}

/** The confirmation of removing an administrator. */
export function removalPage(visit: OrganizationVisit, { id, name, email }: Administrator): HtmlPage {
  const path = pathOf(visit.organization.id, 'administrators');
  return organizationPage(visit, {
    title: `Remove ${name ?? email}`,
    main: html`
      <h1>Remove <bdi>${name ?? email}</bdi>?</h1>
      <p class="lead">The sessions of ${email} end at once, and they can no longer sign in. The API keys that they created
        remain.</p>
      ${confirmation(visit, { path: `${path}/${id}/remove`, submit: 'Remove the administrator', cancel: path })}`,
  });
}
