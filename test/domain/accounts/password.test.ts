import { randomBytes, type scrypt, scryptSync } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { generatePassword, hashPassword, newPassword, verifyPassword } from '../../../src/domain/accounts/password.ts';
import { times } from '../../support/data.ts';
import { lowerHashCost, restoreHashCost } from '../../support/password-cost.ts';

/** The module again, for a test that replaces what it imports; other files share the loaded one. */
const SEPARATE_MODULE = '../../../src/domain/accounts/password.ts?separate';

const ACCOUNT = 'ada@example.org';
const PASSWORD = 'Caf\u00e9 am Fluss 12';

describe('a stored password', () => {
  it('is a scrypt hash with its parameters and a random salt, and matches no other password', async () => {
    restoreHashCost();
    const costly = await hashPassword(ACCOUNT, PASSWORD).finally(lowerHashCost);
    expect(costly).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}==\$[\w+/]{43}=$/);
    const [one, other] = await Promise.all([hashPassword(ACCOUNT, PASSWORD), hashPassword(ACCOUNT, PASSWORD)]);
    expect(other).not.toBe(one);
    expect(await verifyPassword(ACCOUNT, PASSWORD.normalize('NFD'), one)).toBe(true);
    for (const wrong of [`${PASSWORD} `, '']) expect(await verifyPassword(ACCOUNT, wrong, one)).toBe(false);
  });

  it('is verified with the parameters it was hashed with', async () => {
    const salt = Buffer.from('an older salt');
    const hash = scryptSync(PASSWORD, salt, 32, { N: 2 ** 10, r: 4, p: 2 });
    const stored = `$scrypt$ln=10,r=4,p=2$${salt.toString('base64')}$${hash.toString('base64')}`;
    expect(await verifyPassword(ACCOUNT, PASSWORD, stored)).toBe(true);
    expect(await verifyPassword(ACCOUNT, 'something else', stored)).toBe(false);
  });

  it('takes as much work to verify when no account exists as when the password is wrong', async () => {
    // Only the parameters passed to scrypt are compared, so it computes nothing.
    const counted = vi.fn<(...call: Parameters<typeof scrypt>) => void>((_password, _salt, length, _cost, done) =>
      done(null, randomBytes(length)),
    );
    vi.doMock(import('node:crypto'), async (original) => ({ ...(await original()), scrypt: counted as never }));
    const passwords: typeof import('../../../src/domain/accounts/password.ts') = await import(SEPARATE_MODULE);
    vi.doUnmock('node:crypto');
    const workOf = async (stored: string | undefined) => {
      counted.mockClear();
      expect(await passwords.verifyPassword(ACCOUNT, 'something else', stored)).toBe(false);
      return counted.mock.calls.map(([, , length, cost]) => ({ length, cost }));
    };
    const work = await workOf(await passwords.hashPassword(ACCOUNT, PASSWORD));
    expect(work).toHaveLength(1);
    expect(await workOf(undefined)).toEqual(work);
  });

  it('is checked one at a time per account, so that many wrong ones delay others and known browsers by one', async () => {
    const cheap = `$scrypt$ln=1,r=1,p=1$${Buffer.from('salt').toString('base64')}$${Buffer.alloc(32).toString('base64')}`;
    const ended: string[] = [];
    const check = async (name: string, account: string, isKnown = false) => {
      await verifyPassword(account, PASSWORD, cheap, { isKnown });
      ended.push(name);
    };
    const others = [check('one', 'one'), check('known', 'many', true)];
    await Promise.all([...times(20, () => check('many', 'many')), ...others]);
    expect(ended.indexOf('one')).toBeLessThanOrEqual(2);
    expect(ended.indexOf('known')).toBeLessThanOrEqual(2);
    expect(ended).toHaveLength(22);
  });
});

describe('a new password', () => {
  it('is generated long and random, and satisfies the password rules', () => {
    const some = times(100, generatePassword);
    expect(new Set(some).size).toBe(100);
    for (const one of some) {
      expect(one).toMatch(/^([a-z2-9]{6}-){3}[a-z2-9]{6}$/);
      expect(newPassword.safeParse(one).success).toBe(true);
    }
  });

  it('has up to 256 characters, also of those that are two UTF-16 code units', () => {
    const password = '\u{1F600}\u{1F601}\u{1F602}\u{1F603}\u{1F604}'.repeat(51);
    expect(newPassword.safeParse(`${password}a`).success).toBe(true);
    expect(newPassword.safeParse(`${password}ab`).success).toBe(false);
  });

  it.each(['', 'elevenchars', 'abababababababab', 'ab'.repeat(200), undefined, 12])('cannot be %j', (one) => {
    expect(newPassword.safeParse(one).success).toBe(false);
  });
});
