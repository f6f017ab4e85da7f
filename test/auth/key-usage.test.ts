import { expect, it } from 'vitest';
import { createKeyUsage } from '../../src/auth/key-usage.ts';
import { StoreBusyError } from '../../src/store/connections/fair-queue.ts';
import { sql } from '../../src/store/sql.ts';
import { appOn } from '../support/apps.ts';
import { times } from '../support/data.ts';
import { onEachStore } from '../support/service.ts';
import { pointsOf, requestsByScope, timesOfUse, used } from './stored-usage.ts';

onEachStore((service) => {
  it.each(['revoked', 'expired'])('counts no request that is refused because the key is %s', async (state) => {
    const usage = createKeyUsage(service.store.db, () => {});
    const organization = await service.organization({ app: appOn(service, { limit: 100, keyUsage: usage }) });
    await organization.get('/members');
    await usage.flush();
    const before = await timesOfUse(service, organization.keyId);
    if (state === 'revoked') await organization.revoke();
    else
      await service.store.db.rows(
        sql`UPDATE api_key SET expires_at = now() - interval '1 second' WHERE id = ${organization.keyId}`,
      );
    for (const _ of times(3, () => {})) expect((await organization.get('/members')).status).toBe(401);
    await usage.close();
    expect(await pointsOf(service, organization.keyId)).toEqual([1]);
    expect(await requestsByScope(service, organization.keyId)).toEqual({ 'members.view': 1 });
    expect(await timesOfUse(service, organization.keyId)).toEqual(before);
  });

  it('adds a batch once if its response was lost, and adds what was counted meanwhile', async () => {
    const { keyId } = await service.organization();
    const { db } = service.store;
    let lost = 2;
    const write: typeof db.write = async (statement) => {
      const answer = await db.write(statement);
      if (lost-- > 0) throw new StoreBusyError('lost');
      return answer as never;
    };
    const errors: unknown[] = [];
    const usage = createKeyUsage({ ...db, write }, (error) => errors.push(error));
    usage.charge(keyId, 2);
    usage.countScopes(keyId, used('tags.view'));
    await usage.flush();
    usage.charge(keyId, 3);
    usage.countScopes(keyId, used('tags.view', 'events.view'));
    await usage.flush();
    expect(await pointsOf(service, keyId)).toEqual([2]);
    await usage.close();
    expect(errors).toHaveLength(2);
    expect([await pointsOf(service, keyId), await requestsByScope(service, keyId)]).toEqual([
      [5],
      { 'tags.view': 2, 'events.view': 1 },
    ]);
  });

  it('stores the usage of other keys if that of one cannot be stored', async () => {
    const [invalid, valid] = await Promise.all([service.organization(), service.organization()]);
    const errors: unknown[] = [];
    const usage = createKeyUsage(service.store.db, (_, isDropped) => errors.push(isDropped));
    usage.charge(invalid.keyId, 0.5);
    usage.charge(valid.keyId, 2);
    await usage.close();
    expect([await pointsOf(service, invalid.keyId), await pointsOf(service, valid.keyId), errors]).toEqual([
      [],
      [2],
      [true],
    ]);
  });

  it('deletes batches after a day', async () => {
    const { keyId } = await service.organization();
    const { db, prisma } = service.store;
    await db.rows(sql`INSERT INTO api_key_usage_batch (id, written_at) VALUES
      (${`${keyId} old`}, now() - interval '25 hours'), (${`${keyId} new`}, now() - interval '23 hours')`);
    const usage = createKeyUsage(db, () => {});
    usage.charge(keyId, 1);
    await usage.close();
    const left = async () => {
      const batches = await prisma.apiKeyUsageBatch.findMany({ where: { id: { startsWith: keyId } } });
      return batches.map(({ id }) => id);
    };
    // The instance of another test may delete the same batch at this moment.
    await expect.poll(left).toEqual([`${keyId} new`]);
  });
});
