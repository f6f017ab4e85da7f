import { expect, it } from 'vitest';
import { createOperatorLink } from '../../../src/domain/accounts/operator.ts';
import { findPasswordLink, signInByPasswordLink } from '../../../src/domain/accounts/password-link.ts';
import { findSession, openSession } from '../../../src/domain/accounts/sign-in-session.ts';
import { sql } from '../../../src/store/sql.ts';
import { onOwnDatabase } from '../../support/service.ts';

const PASSWORD = 'correct horse battery';
const OTHER_PASSWORD = 'quite another password';

onOwnDatabase((service) => {
  const sessions = (operatorPassword?: string) => ({ prisma: service.store.prisma, operatorPassword });

  it('sets the password once per link, invalidating other links and all operator sessions', async () => {
    const [token, other] = [await createOperatorLink(service.store), await createOperatorLink(service.store)];
    const session = await openSession(sessions(), undefined);
    const used = await Promise.all(
      [PASSWORD, OTHER_PASSWORD].map((one) => signInByPasswordLink(sessions(), token, one)),
    );
    expect(used.filter((account) => account !== undefined)).toHaveLength(1);
    for (const link of [token, other]) expect(await findPasswordLink(service.store, link)).toBeUndefined();
    expect(await findSession(sessions(), session)).toBeUndefined();
  });

  it('rejects an expired link and an invalid password', async () => {
    const token = await createOperatorLink(service.store);
    await expect(signInByPasswordLink(sessions(), token, 'short')).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await findPasswordLink(service.store, token)).toEqual({ kind: 'operator' });
    await service.store.db.rows(sql`UPDATE password_link SET expires_at = now() - interval '1 second'`);
    expect(await signInByPasswordLink(sessions(), token, PASSWORD)).toBeUndefined();
    for (const invalid of ['', 'x', `${token}x`, '\0']) {
      expect(await signInByPasswordLink(sessions(), invalid, PASSWORD)).toBeUndefined();
    }
  });
});
