import { type CheckOptions, isSamePassword, type PasswordCheck, verifyPassword } from './password.ts';
import { createPasswordLink } from './password-link.ts';
import type { Sessions } from './sign-in-session.ts';

/** How long a link of the operator is valid. */
export const OPERATOR_LINK_HOURS = 24;

/** Creates a link with which the operator sets their password, and returns its token. */
export function createOperatorLink({ prisma }: Pick<Sessions, 'prisma'>): Promise<string> {
  return createPasswordLink({ prisma }, undefined, OPERATOR_LINK_HOURS);
}

/** Whether the operator has a password: `OPERATOR_PASSWORD`, or one that was set with a link. */
export async function hasOperatorPassword({ prisma, operatorPassword }: Sessions): Promise<boolean> {
  return operatorPassword !== undefined || (await storedOperatorHash({ prisma })) !== undefined;
}

/**
 * Checks the operator's password. Without `OPERATOR_PASSWORD`, it takes the same time whether a password was set or not.
 *
 * @throws {ServiceError} `unavailable` if too many checks are queued.
 */
export async function checkOperatorPassword(
  { prisma, operatorPassword }: Sessions,
  password: string,
  options?: CheckOptions,
): Promise<PasswordCheck> {
  if (operatorPassword !== undefined) return { isCorrect: isSamePassword(password, operatorPassword), hash: undefined };
  const hash = await storedOperatorHash({ prisma });
  return { isCorrect: await verifyPassword('operator', password, hash, options), hash };
}

async function storedOperatorHash({ prisma }: Pick<Sessions, 'prisma'>): Promise<string | undefined> {
  return (await prisma.operator.findFirst())?.passwordHash;
}
