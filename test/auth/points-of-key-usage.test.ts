import { expect, it } from 'vitest';
import { createKeyUsage } from '../../src/auth/key-usage.ts';
import { StoreBusyError } from '../../src/store/connections/fair-queue.ts';
import { appOn } from '../support/apps.ts';
import { times } from '../support/data.ts';
import { onEachStore } from '../support/service.ts';
import { pointsOf, requestsByScope, used } from './stored-usage.ts';

onEachStore((service) => {
  it('sums the points of a key per day, in the same statement as the times of use', async () => {
    const { keyId } = await service.organization();
    const ran: string[] = [];
    const { db } = service.store;
    const write: typeof db.write = (statement) => {
      ran.push(statement.text);
      return db.write(statement);
    };
    const usage = createKeyUsage({ ...db, write }, () => {});
    for (const units of [1, 1, 5]) usage.charge(keyId, units);
    await usage.flush();
    await usage.flush();
    usage.charge(keyId, 3);
    await usage.close();
    expect(ran).toHaveLength(2);
    expect(await pointsOf(service, keyId)).toEqual([10]);
  });

  it('sums the points of concurrent instances', async () => {
    const keys = await Promise.all(times(5, async () => (await service.organization()).keyId));
    const errors: unknown[] = [];
    const instances = times(6, () => createKeyUsage(service.store.db, (error) => errors.push(error)));
    for (const [n, instance] of instances.entries()) {
      for (const keyId of n % 2 ? keys : keys.toReversed()) {
        instance.charge(keyId, n + 1);
        instance.countScopes(keyId, used(...(n % 2 ? ['tags.view', 'forms.view'] : ['forms.view', 'tags.view'])));
      }
    }
    await Promise.all(instances.map((instance) => instance.close()));
    expect(errors).toEqual([]);
    for (const keyId of keys) {
      expect([await pointsOf(service, keyId), await requestsByScope(service, keyId)]).toEqual([
        [21],
        { 'tags.view': 6, 'forms.view': 6 },
      ]);
    }
  });

  it('counts admitted requests of both APIs at their cost, and the first point of a refused operation', async () => {
    const usage = createKeyUsage(service.store.db, () => {});
    const app = appOn(service, { limit: 7, keyUsage: usage });
    const organization = await service.organization({ app });
    await organization.get('/members');
    await organization.get('/nowhere');
    const query = JSON.stringify({
      query: '{ members { edges { node { id } } } tags { edges { node { id } } } events { nodes { id } } }',
    });
    const headers = { 'X-Api-Key': organization.key, 'Content-Type': 'application/json' };
    await app.fetch(new Request('http://localhost/graphql', { method: 'POST', headers, body: query }));
    await app.fetch(new Request('http://localhost/graphql', { method: 'POST', headers, body: query }));
    expect((await organization.get('/members')).status).toBe(200);
    expect((await organization.get('/members')).status).toBe(429);
    await usage.close();
    expect(await pointsOf(service, organization.keyId)).toEqual([7]);
  });

  it('retries points that could not be written, and ignores unknown keys', async () => {
    const { keyId } = await service.organization();
    const { db } = service.store;
    let unreachable = true;
    const write: typeof db.write = (statement) =>
      unreachable ? Promise.reject(new StoreBusyError('unreachable')) : db.write(statement);
    const usage = createKeyUsage({ ...db, write }, () => {});
    usage.charge(keyId, 2);
    usage.charge('key_gone', 9);
    await usage.flush();
    usage.charge(keyId, 3);
    unreachable = false;
    await usage.close();
    expect(await pointsOf(service, keyId)).toEqual([5]);
  });
});
