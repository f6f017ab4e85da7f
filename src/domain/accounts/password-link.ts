import { hash, randomBytes } from 'node:crypto';
import type { Prisma } from '../../store/generated/client.ts';
import { databaseTime } from '../../store/sql.ts';
import { parseInput } from '../core/parse-input.ts';
import { HOUR_MS } from '../values/time-zone.ts';
import { lockAccounts, openSessionIfPasswordMatches, replacePassword } from './account-password.ts';
import { parametersFor } from './administrator.ts';
import { hashPassword, newPassword } from './password.ts';
import { type AccountIds, accountOf, type Sessions, type SignedIn } from './sign-in-session.ts';

interface Records {
  readonly prisma: Prisma.TransactionClient;
}

/** 256 random bits in base64url. */
const TOKEN = /^[\w-]{43}$/;

/**
 * Creates a link that sets the password of an account, once. Also deletes expired links.
 *
 * @param administratorId undefined: the operator.
 * @returns the token of the link; only a hash of it is stored.
 */
export async function createPasswordLink(
  { prisma }: Records,
  administratorId: string | undefined,
  validHours: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date((await databaseTime(prisma)).getTime() + validHours * HOUR_MS);
  const data = { tokenHash: hashOf(token), administratorId: administratorId ?? null, expiresAt };
  await prisma.passwordLink.create({ data });
  // SQL, because Prisma Client cannot skip rows that another transaction is deleting, which could be a deadlock.
  await prisma.$executeRaw`
    DELETE FROM password_link WHERE token_hash IN (
      SELECT token_hash FROM password_link WHERE expires_at <= now() FOR UPDATE SKIP LOCKED
    )`;
  return token;
}

/** Returns the account of a link; undefined if the link has expired, was used, or never existed. */
export async function findPasswordLink({ prisma }: Records, token: string): Promise<SignedIn | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const link = await prisma.passwordLink.findUnique({
    where: { tokenHash: hashOf(token), expiresAt: { gt: await databaseTime(prisma) } },
    include: { administrator: true },
  });
  return link ? accountOf(link) : undefined;
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
  const isOperator = account.kind === 'operator';
  // Only this organization's: a link must not open others, even if the password is the same.
  const ids: AccountIds = isOperator ? undefined : [account.id];
  const name = isOperator ? 'operator' : account.email;
  const parsed = parseInput(newPassword, password);
  const parameters = isOperator ? undefined : await parametersFor(sessions.prisma, name, account.id);
  const passwordHash = await hashPassword(name, parsed, parameters);
  const { session, usedBefore } = await sessions.prisma.$transaction(async (tx) => {
    const { hash: currentHash } = await lockAccounts(tx, ids, 'change');
    // SQL, because one statement finds the link and deletes it, so that it works once.
    const [link] = await tx.$queryRaw<{ is_valid: boolean }[]>`
      DELETE FROM password_link WHERE token_hash = ${hashOf(token)} RETURNING expires_at > now() AS is_valid`;
    const session = link?.is_valid ? await replacePassword(tx, sessions, ids, passwordHash) : undefined;
    // Without the row, another request has used the link since it was found.
    return { session, usedBefore: link ? undefined : { hash: currentHash } };
  });
  const attempt = usedBefore && { name, password: parsed, ...usedBefore };
  const opened = session ?? (attempt && (await openSessionIfPasswordMatches(sessions, ids, attempt)));
  return opened === undefined ? undefined : { account, session: opened };
}

/** 256 random bits need no salt. */
function hashOf(token: string): Buffer<ArrayBuffer> {
  return hash('sha256', token, 'buffer');
}
