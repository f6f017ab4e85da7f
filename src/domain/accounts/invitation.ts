import type { Store } from '../../store/store.ts';
import { getOrganization } from '../admin/organization.ts';
import { parseInput } from '../core/parse-input.ts';
import { type Administrator, accountFields, insertAdministrator } from './administrator.ts';
import { createPasswordLink } from './password-link.ts';

/** How long an invited administrator has to set a password. */
const INVITATION_HOURS = 7 * 24;

/** An invited administrator. */
export interface Invitation {
  readonly administrator: Administrator;
  /** The token of the link with which they set their password, valid for seven days. */
  readonly token: string;
}

/**
 * Creates an administrator who sets their own password.
 *
 * @param by the actor, for the audit log.
 * @throws {ServiceError} `invalid_request`; `not_found` for the organization; `email_in_use`.
 */
export async function inviteAdministrator({ db }: Pick<Store, 'db'>, input: unknown, by: string): Promise<Invitation> {
  const fields = parseInput(accountFields, input);
  await getOrganization({ db }, fields.organization_id);
  return db.transaction(async (db) => {
    const operation = 'inviteAdministrator';
    const administrator = await insertAdministrator({ db }, { ...fields, hash: null, operation, by });
    return { administrator, token: await createPasswordLink({ db }, administrator.id, INVITATION_HOURS) };
  });
}
