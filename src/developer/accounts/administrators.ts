import { type Administrator, listAdministrators, revokeAdministrator } from '../../domain/accounts/administrator.ts';
import { inviteAdministrator } from '../../domain/accounts/invitation.ts';
import { notFound, ServiceError } from '../../domain/core/errors.ts';
import type { DeveloperContext } from '../context.ts';
import { pathOf, SET_PASSWORD } from '../paths.ts';
import { createVisits, type Handler, type OrganizationVisit, type Routes, readSessionForm } from '../session/visit.ts';
import { administratorsPage, invitationPage, removalPage } from '../view/accounts/administrators.ts';

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
