import { expect, it } from 'vitest';
import { createKeyUsage } from '../../src/auth/key-usage.ts';
import { appOn } from '../support/apps.ts';
import { graphql } from '../support/graphql.ts';
import { onEachStore } from '../support/service.ts';
import { pointsOf, requestsByScope, used } from './stored-usage.ts';

onEachStore((service) => {
  it('counts each scope once per request, in both APIs', async () => {
    const usage = createKeyUsage(service.store.db, () => {});
    const app = appOn(service, { keyUsage: usage });
    const organization = await service.organization({ app });
    await organization.get('/members');
    await organization.get('/members?limit=0');
    await organization.get(`/events`);
    const ask = graphql(app, organization.key);
    await ask(
      '{ a: members { edges { node { id } } } b: members { edges { node { id tags { id } } } } viewer { keyName } }',
    );
    await ask('{ viewer { keyName } }');
    await usage.close();
    expect(await requestsByScope(service, organization.keyId)).toEqual({ 'members.view': 3, 'events.view': 1 });
  });

  it('counts no scope that a key lacks, and none of a refused request', async () => {
    const usage = createKeyUsage(service.store.db, () => {});
    const app = appOn(service, { keyUsage: usage, limit: 2 });
    const organization = await service.organization({ app, scopes: ['events.view'] });
    for (const [path, status] of [
      ['/members', 403],
      ['/events', 200],
      ['/events', 429],
    ] as const) {
      expect((await organization.get(path)).status).toBe(status);
    }
    await usage.close();
    expect(await requestsByScope(service, organization.keyId)).toEqual({ 'events.view': 1 });
  });

  it('counts scopes on a day without points charged to the key', async () => {
    const { keyId } = await service.organization();
    const usage = createKeyUsage(service.store.db, () => {});
    usage.countScopes(keyId, used('tags.view'));
    usage.countScopes(keyId, used('tags.view', 'events.view'));
    usage.countScopes('key_gone', used('tags.view'));
    await usage.close();
    expect([await pointsOf(service, keyId), await requestsByScope(service, keyId)]).toEqual([
      [0],
      { 'tags.view': 2, 'events.view': 1 },
    ]);
  });
});
