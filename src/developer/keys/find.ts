import { findSession } from '../../domain/accounts/sign-in-session.ts';
import { findApiKey } from '../../domain/admin/api-key.ts';
import { containsKey } from '../../domain/admin/api-key-secret.ts';
import { notFound, ServiceError } from '../../domain/core/errors.ts';
import type { DeveloperContext } from '../context.ts';
import { pathOf } from '../paths.ts';
import type { Visit } from '../session/visit.ts';
import { messagePage } from '../view/frame.ts';

/**
 * Responds to a search for a key itself, which is in no URL because searches are POST requests. It is found in all
 * organizations that the user has access to.
 *
 * @returns undefined if the text contains no key.
 */
export async function respondToKey(
  context: DeveloperContext,
  visit: Visit,
  text: string,
): Promise<Response | undefined> {
  if (!containsKey(text)) return undefined;
  const { c } = visit;
  try {
    const { organization_id, id } = await findApiKey(context.store, text);
    const session = await findSession(context.sessions, visit.token, organization_id);
    if (!session?.organization) throw notFound('API key');
    return c.redirect(`${pathOf(organization_id, 'keys', id)}?found`, 303);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    return context.site.respond(c, messagePage('API key not found', NOT_FOUND), 404);
  }
}

const NOT_FOUND =
  'No key that you have access to is equal to the one that you entered. Check that you copied all of it.';
