import { expect, it } from 'vitest';
import { createKeyUsage } from '../../../src/auth/key-usage.ts';
import { findKeyIds, getApiKeyHistory } from '../../../src/domain/admin/api-key.ts';
import { rotateApiKey } from '../../../src/domain/admin/api-key-rotation.ts';
import { listAudit } from '../../../src/domain/admin/audit-log.ts';
import { getKeyAdvice, narrowerScopes, unusedScopes } from '../../../src/domain/admin/scope-advice.ts';
import type { Scope } from '../../../src/domain/core/scopes.ts';
import { sql } from '../../../src/store/sql.ts';
import { appOn } from '../../support/apps.ts';
import { times } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { onOneDatabase } from '../../support/service.ts';

const NOW = Date.UTC(2026, 10, 23);
const daysAgo = (days: number, ms = 0) => new Date(NOW - days * 86_400_000 + ms);

it.each([
  ['is not reported until scopes have been counted for 90 days', daysAgo(90, 1), daysAgo(1), null],
  ['is reported after 90 days', daysAgo(90), daysAgo(1), ['tags.view']],
  ['includes a scope that was used 90 days ago', daysAgo(200), daysAgo(90), ['tags.view', 'events.view']],
  ['excludes a scope that was used less than 90 days ago', daysAgo(200), daysAgo(90, 1), ['tags.view']],
])('an unused scope %s', (_name, countedSince, lastUsedAt, expected) => {
  const uses = [{ scope: 'events.view', lastUsedAt }];
  expect(unusedScopes({ scopes: ['events.view', 'tags.view'], countedSince, uses }, new Date(NOW))).toEqual(expected);
});

onOneDatabase((service) => {
  /** A key whose uses have been counted for more than 90 days. */
  const oldKey = async (...scopes: Scope[]) => {
    const organization = await service.organization({ scopes });
    await service.store.db.rows(sql`
      UPDATE api_key SET scopes_counted_since = now() - interval '91 days' WHERE id = ${organization.keyId}`);
    return organization;
  };

  /** The number of requests of each operation, by scope. */
  const usesOf = async (keyId: string) => {
    const { scopes } = await getKeyAdvice(service.store, await findKeyIds(service.store, keyId));
    const used = scopes.filter(({ operations }) => operations.length > 0);
    return Object.fromEntries(
      used.map(({ scope, operations }) => [
        scope,
        Object.fromEntries(operations.map(({ operation, requests }) => [operation, requests])),
      ]),
    );
  };

  it('counts the scopes of operations in both APIs on three instances, except for refused requests', async () => {
    const usages = times(3, () => createKeyUsage(service.store.db, () => {}));
    const { key, keyId, through } = await service.organization();
    for (const keyUsage of usages) {
      const app = appOn(service, { keyUsage });
      await through(app).get('/members?limit=1');
      await through(app).get('/members/mem_unknown');
      const members = 'members { nodes { id tags { id } departments { id } } }';
      await graphql(app, key)(`{ ${members} a: forms { nodes { id } } b: forms { nodes { id } } }`);
      await through(app).get('/changes?resources=events,services');
    }
    const limited = appOn(service, { keyUsage: usages[0] as (typeof usages)[0], limit: 1 });
    await through(limited).get('/designations');
    await through(limited).get('/prayer-requests');
    await Promise.all(usages.map((usage) => usage.close()));
    expect(await usesOf(keyId)).toEqual({
      'members.view': { listMembers: 6, getMember: 3, listDesignations: 1 },
      'forms.view': { listForms: 3 },
      'events.view': { listChanges: 3 },
      'services.view': { listChanges: 3 },
    });
  });

  it('reports since when use is counted, and no unused scope of a new key', async () => {
    const { keyId } = await service.organization({ scopes: ['tags.view'] });
    const advice = await getKeyAdvice(service.store, await findKeyIds(service.store, keyId));
    const [created] = await getApiKeyHistory(service.store, await findKeyIds(service.store, keyId));
    expect(advice).toMatchObject({ counted_since: created?.at, unused_scopes: null });
    expect(() => narrowerScopes(advice)).toThrow('for less than 90 days');
  });

  it('creates a key without the unused scopes; the old key keeps them for the overlap', async () => {
    const { id, keyId, get } = await oldKey('members.view', 'tags.view', 'events.view');
    const keyUsage = createKeyUsage(service.store.db, () => {});
    keyUsage.countRequest(keyId, new Set([{ operation: 'listEvents', scope: 'events.view' as const }]), false);
    await keyUsage.close();
    const scopes = narrowerScopes(await getKeyAdvice(service.store, await findKeyIds(service.store, keyId)));
    expect(scopes).toEqual(['events.view']);
    const rotated = await rotateApiKey(
      service.store,
      await findKeyIds(service.store, keyId),
      { overlap_hours: 1, scopes },
      'cli:test',
    );
    expect(rotated).toMatchObject({ scopes, replaces: { id: keyId, state: 'active' } });
    expect((await get('/tags')).status).toBe(200);
    const histories = await Promise.all(
      [keyId, rotated.id].map(async (one) => getApiKeyHistory(service.store, await findKeyIds(service.store, one))),
    );
    expect(histories.map((events) => events.find(({ key_id }) => key_id)?.key_id)).toEqual([rotated.id, keyId]);
    for (const record_id of [keyId, rotated.id]) {
      const [audited] = await listAudit(service.store, { organization_id: id, record_id, limit: 1 });
      expect(audited).toMatchObject({ operation: 'rotateApiKey', actor: 'cli:test', related_id: rotated.id });
    }
  });
});
