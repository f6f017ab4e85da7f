import { createHmac, hash, randomBytes } from 'node:crypto';
import { sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import type { Administrator } from './administrator.ts';

/** The account that is signed in to the developer pages. */
export type SignedIn =
  | { readonly kind: 'operator' }
  | ({ readonly kind: 'administrator' } & Pick<Administrator, 'id' | 'organization_id' | 'email' | 'name'>);

/** The store of sessions, and the setting that they depend on. */
export interface Sessions extends Pick<Store, 'db'> {
  /** The setting `OPERATOR_PASSWORD`. If undefined, the operator has the password that was set with a link. */
  readonly operatorPassword: string | undefined;
}

/** A session ends after this time, even if it is used. */
export const MAX_SESSION_HOURS = 12;
/** A session that is not used ends after this time. */
export const IDLE_MINUTES = 30;

/** The first character of a token, by the kind of its account. */
const KINDS = { operator: 'o', administrator: 'a' } as const;
const TOKEN = /^[oa][\w-]{43}$/;

/**
 * Begins a session. Also deletes sessions that have ended.
 *
 * @param administratorId undefined: the operator's session.
 * @returns its token, for the browser's cookie; only a hash of it is stored.
 */
export async function openSession(
  { db, operatorPassword }: Sessions,
  administratorId: string | undefined,
): Promise<string> {
  const kind = administratorId === undefined ? KINDS.operator : KINDS.administrator;
  const token = kind + randomBytes(32).toString('base64url');
  await db.write(sql`
    WITH ended AS (
      DELETE FROM session WHERE token_hash IN (
        SELECT token_hash FROM session
        WHERE expires_at <= now() OR seen_at <= now() - ${IDLE_MINUTES}::int * interval '1 minute'
        FOR UPDATE SKIP LOCKED
      )
    )
    INSERT INTO session (token_hash, administrator_id, expires_at)
    VALUES (${hashOfToken(token, operatorPassword)}, ${administratorId ?? null},
      now() + ${MAX_SESSION_HOURS}::int * interval '1 hour')`);
  return token;
}

/** The administrator of a session or link; without an id, it is the operator's. */
export interface AccountRow extends Pick<Administrator, 'organization_id' | 'email' | 'name'> {
  readonly id: string | null;
}

/** Converts a row to an account. */
export function accountOf({ id, organization_id, email, name }: AccountRow): SignedIn {
  return id === null ? { kind: 'operator' } : { kind: 'administrator', id, organization_id, email, name };
}

/**
 * Returns the account of a session; undefined if the session has ended or never existed, by the database's clock. Also
 * records the time of use, at most once a minute.
 */
export async function findSession({ db, operatorPassword }: Sessions, token: string): Promise<SignedIn | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const [session] = await db.write<AccountRow>(sql`
    WITH s AS (
      SELECT * FROM session WHERE token_hash = ${hashOfToken(token, operatorPassword)} AND expires_at > now()
        AND seen_at > now() - ${IDLE_MINUTES}::int * interval '1 minute'
    ), seen AS (
      UPDATE session SET seen_at = now()
      WHERE token_hash IN (SELECT token_hash FROM s WHERE seen_at < now() - interval '1 minute')
    )
    SELECT a.id, a.organization_id, a.email, a.name FROM s LEFT JOIN administrator a ON a.id = s.administrator_id
    WHERE a.revoked_at IS NULL`);
  return session && accountOf(session);
}

/** Ends a session; does nothing if it has ended already. */
export async function closeSession({ db, operatorPassword }: Sessions, token: string): Promise<void> {
  if (TOKEN.test(token)) {
    await db.write(sql`DELETE FROM session WHERE token_hash = ${hashOfToken(token, operatorPassword)}`);
  }
}

/**
 * 256 random bits need no salt. The hash of an operator's token includes the setting `OPERATOR_PASSWORD`, so that changing
 * it ends the operator's sessions.
 */
function hashOfToken(token: string, operatorPassword: string | undefined): Buffer {
  if (!token.startsWith(KINDS.operator)) return hash('sha256', token, 'buffer');
  return createHmac('sha256', operatorPassword ?? '')
    .update(token)
    .digest();
}
