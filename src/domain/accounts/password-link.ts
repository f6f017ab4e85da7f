import { hash, randomBytes } from 'node:crypto';
import { sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { parseInput } from '../core/parse-input.ts';
import { lockAccount, openSessionIfPasswordMatches, replacePassword } from './account-password.ts';
import { hashPassword, newPassword } from './password.ts';
import { type AccountRow, accountOf, type Sessions, type SignedIn } from './sign-in-session.ts';

type Records = Pick<Store, 'db'>;

/** 256 random bits in base64url. */
const TOKEN = /^[\w-]{43}$/;

/**
 * Creates a link that sets the password of an account, once. Also deletes expired links.
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
    INSERT INTO password_link (token_hash, administrator_id, expires_at)
    VALUES (${hashOf(token)}, ${administratorId ?? null}, now() + ${validHours}::int * interval '1 hour')`);
  await db.write(sql`
    DELETE FROM password_link WHERE token_hash IN (
      SELECT token_hash FROM password_link WHERE expires_at <= now() FOR UPDATE SKIP LOCKED
    )`);
  return token;
}

/** Returns the account of a link; undefined if the link has expired, was used, or never existed. */
export async function findPasswordLink({ db }: Records, token: string): Promise<SignedIn | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const [link] = await db.rows<AccountRow>(sql`
    SELECT a.id, a.organization_id, a.email, a.name
    FROM password_link l LEFT JOIN administrator a ON a.id = l.administrator_id
    WHERE l.token_hash = ${hashOf(token)} AND l.expires_at > now()`);
  return link && accountOf(link);
}

/** A session that was begun, and its account. */
export interface NewSession {
  readonly account: SignedIn;
  /** The token of the session. */
  readonly session: string;
}

/**
 * Sets the password of the account of a link, deletes its links and sessions, and begins a session. If the link is used
 * twice at once with the same password, both uses begin a session.
 *
 * @returns undefined if the link has expired, was used, or never existed; nothing is changed then.
 * @throws {ServiceError} `invalid_request` for the password; `unavailable` if too many checks are queued.
 */
export async function signInByPasswordLink(
  sessions: Sessions,
  token: string,
  password: string,
): Promise<NewSession | undefined> {
  // Checked before the slow hashing of the password.
  const account = await findPasswordLink(sessions, token);
  if (!account) return undefined;
  const id = account.kind === 'operator' ? undefined : account.id;
  const passwordHash = await hashPassword(parseInput(newPassword, password));
  const { session, usedBefore } = await sessions.db.transaction(async (db) => {
    const currentHash = await lockAccount({ db }, id, 'change');
    const [link] = await db.write<{ is_valid: boolean }>(sql`
      DELETE FROM password_link WHERE token_hash = ${hashOf(token)} RETURNING expires_at > now() AS is_valid`);
    const session = link?.is_valid ? await replacePassword({ ...sessions, db }, id, passwordHash) : undefined;
    // Without the row, another request has used the link since it was found.
    return { session, usedBefore: link ? undefined : { currentHash } };
  });
  const opened =
    session ?? (usedBefore && (await openSessionIfPasswordMatches(sessions, id, password, usedBefore.currentHash)));
  return opened === undefined ? undefined : { account, session: opened };
}

/** 256 random bits need no salt. */
function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
