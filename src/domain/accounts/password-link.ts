import { createHash, randomBytes } from 'node:crypto';
import { sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { auditAccount } from '../core/audit.ts';
import { parseInput } from '../core/parse-input.ts';
import { hashPassword, newPassword } from './password.ts';
import type { SignedIn } from './sign-in-session.ts';

type Records = Pick<Store, 'db'>;

/** 256 random bits in base64url. */
const TOKEN = /^[\w-]{43}$/;

/**
 * Creates a link with which an account sets its password, once. Expired links are deleted on this occasion.
 *
 * @param administratorId undefined: the operator.
 * @returns the token of the link; only a hash of it is stored.
 */
export async function createPasswordLink(
  { db }: Records,
  administratorId: string | undefined,
  validHours: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db.write(sql`
    WITH expired AS (DELETE FROM password_link WHERE expires_at <= now())
    INSERT INTO password_link (token_hash, administrator_id, expires_at)
    VALUES (${hashOf(token)}, ${administratorId ?? null}, now() + ${validHours}::int * interval '1 hour')`);
  return token;
}

/** The account of a valid link; undefined if it has expired, was used, or never existed. */
export async function findPasswordLink({ db }: Records, token: string): Promise<SignedIn | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const [link] = await db.rows<LinkRow>(sql`
    SELECT a.id, a.organization_id, a.email, a.name
    FROM password_link l LEFT JOIN administrator a ON a.id = l.administrator_id
    WHERE l.token_hash = ${hashOf(token)} AND l.expires_at > now()`);
  return link && accountOf(link);
}

/**
 * Sets the password of the account of a link, and deletes its links and sessions.
 *
 * @returns the account; undefined, and nothing changes, if the link has expired, was used, or never existed.
 * @throws {ServiceError} `invalid_request` for the password; `unavailable` if too many passwords are being hashed.
 */
export async function usePasswordLink({ db }: Records, token: string, password: string): Promise<SignedIn | undefined> {
  // Before the password is hashed, which is slow.
  if (!(await findPasswordLink({ db }, token))) return undefined;
  const hash = await hashPassword(parseInput(newPassword, password));
  const [link] = await db.write<LinkRow>(sql`
    WITH used AS (
      DELETE FROM password_link WHERE token_hash = ${hashOf(token)} AND expires_at > now() RETURNING administrator_id
    ), a AS (
      UPDATE administrator SET password_hash = ${hash} WHERE id IN (SELECT administrator_id FROM used) RETURNING *
    ), operator_set AS (
      INSERT INTO operator (password_hash) SELECT ${hash} FROM used WHERE administrator_id IS NULL
      ON CONFLICT (id) DO UPDATE SET password_hash = EXCLUDED.password_hash, updated_at = now()
    ), others AS (
      DELETE FROM password_link l USING used
      WHERE l.administrator_id IS NOT DISTINCT FROM used.administrator_id AND l.token_hash <> ${hashOf(token)}
    ), sessions AS (
      DELETE FROM session s USING used WHERE s.administrator_id IS NOT DISTINCT FROM used.administrator_id
    ), audited AS (${auditAccount('setPassword', sql`used LEFT JOIN a ON true`)})
    SELECT a.id, a.organization_id, a.email, a.name FROM used LEFT JOIN a ON true`);
  return link && accountOf(link);
}

interface LinkRow {
  readonly id: string | null;
  readonly organization_id: string;
  readonly email: string;
  readonly name: string | null;
}

function accountOf({ id, ...administrator }: LinkRow): SignedIn {
  return id === null ? { kind: 'operator' } : { kind: 'administrator', id, ...administrator };
}

/** 256 random bits need no salt. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
