import { type Administrator, listAdministrators, revokeAdministrator } from '../../domain/accounts/administrator.ts';
import { inviteAdministrator } from '../../domain/accounts/invitation.ts';
import { type FieldError, notFound, ServiceError } from '../../domain/core/errors.ts';
import { MAX_SHORT_TEXT_CHARACTERS } from '../../domain/values/limits.ts';
import { formatRelative } from '../../pages/dates.ts';
import { copyable, type Html, html } from '../../pages/html.ts';
import type { HtmlPage } from '../../pages/site.ts';
import {
  confirmation,
  doneNotice,
  field,
  formPage,
  organizationPage,
  problemOf,
  sessionForm,
  textField,
} from '../page.ts';
import { pathOf, SET_PASSWORD } from '../paths.ts';
import {
  createVisits,
  type DeveloperContext,
  type Handler,
  type OrganizationVisit,
  type Routes,
  readSessionForm,
} from '../visit.ts';

/** The administrators of an organization. */
export function createAdministratorPages(context: DeveloperContext): Routes {
  const { site, store } = context;
  const { inOrganization } = createVisits(context);

  const list = async ({ organization }: OrganizationVisit) =>
    (await listAdministrators(store, organization.id)).filter(({ state }) => state !== 'revoked').reverse();
  const redirectAfterRemoval = ({ c, organization }: OrganizationVisit) =>
    c.redirect(`${pathOf(organization.id, 'administrators')}?removed`, 303);

  /** Wraps handlers for an administrator who was not removed yet: a form can be sent twice, or by two administrators. */
  const inAdministrator = (
    handler: (visit: OrganizationVisit, administrator: Administrator) => Promise<Response>,
  ): Handler =>
    inOrganization(async (visit) => {
      const all = await listAdministrators(store, visit.organization.id);
      const administrator = all.find(({ id }) => id === visit.c.req.param('administrator'));
      if (!administrator) throw notFound('Administrator');
      if (administrator.state === 'revoked') return redirectAfterRemoval(visit);
      return handler(visit, administrator);
    });

  return {
    '/organizations/:organization/administrators': {
      GET: inOrganization(async (visit) => site.respond(visit.c, administratorsPage(visit, await list(visit)))),
      POST: inOrganization(async (visit) => {
        const { c, organization, actor } = visit;
        const form = await readSessionForm(visit);
        const input = { email: form.single('email'), name: form.single('name') || null };
        try {
          const { administrator, token } = await inviteAdministrator(
            store,
            { ...input, organization_id: organization.id },
            actor,
          );
          const link = `${site.baseAddress(c)}${SET_PASSWORD}?token=${token}`;
          return site.respond(c, invitationPage(visit, administrator, link), 201);
        } catch (error) {
          if (!(error instanceof ServiceError) || (error.code !== 'invalid_request' && error.code !== 'email_in_use')) {
            throw error;
          }
          const page = administratorsPage(visit, await list(visit), {
            ...input,
            problems: error.details ?? [{ field: 'email', message: error.message }],
          });
          return site.respond(c, page, error.code === 'email_in_use' ? 409 : 422);
        }
      }),
    },
    '/organizations/:organization/administrators/:administrator/remove': {
      GET: inAdministrator(async (visit, administrator) => site.respond(visit.c, removalPage(visit, administrator))),
      POST: inAdministrator(async (visit, administrator) => {
        await readSessionForm(visit);
        await revokeAdministrator(store, administrator.id, visit.actor);
        return redirectAfterRemoval(visit);
      }),
    },
  };
}

interface Rejected {
  readonly email: string;
  readonly name: string | null;
  readonly problems: readonly FieldError[];
}

/** The administrators of an organization, newest first, and the form that invites another one. */
function administratorsPage(
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
function invitationPage(visit: OrganizationVisit, { name, email }: Administrator, link: string): HtmlPage {
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
function removalPage(visit: OrganizationVisit, { id, name, email }: Administrator): HtmlPage {
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
