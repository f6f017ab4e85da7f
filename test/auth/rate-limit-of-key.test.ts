import { expect, it } from 'vitest';
import { createApiKey } from '../../src/domain/admin/api-key.ts';
import { ALL_SCOPES } from '../../src/domain/core/scopes.ts';
import { appOn } from '../support/apps.ts';
import { client } from '../support/client.ts';
import { expectError } from '../support/contract.ts';
import { graphql } from '../support/graphql.ts';
import { onOneStore } from '../support/service.ts';

onOneStore((service) => {
  const keyOf = (organization_id: string, rate_limit?: number) =>
    createApiKey(
      service.store,
      { organization_id, name: 'Website', scopes: ALL_SCOPES, expires_in_days: null, rate_limit },
      'test',
    );

  it('applies to this key in both APIs', async () => {
    const { id, key: other } = await service.organization();
    const app = appOn(service, { limit: 120 });
    const { key } = await keyOf(id, 3);
    const { json } = await graphql(app, key)('{ viewer { rateLimit } }');
    expect([json.data.viewer.rateLimit, json.extensions.rateLimit]).toEqual([
      3,
      expect.objectContaining({ limit: 3, remaining: 2 }),
    ]);
    const { get } = client(app, key);
    const headers = [await get('/tags'), await get('/tags')].map(({ headers: sent }) =>
      ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => sent.get(name)),
    );
    expect(headers).toEqual([
      ['3', '1'],
      ['3', '0'],
    ]);
    expectError(await get('/tags'), 429, 'rate_limited');
    expect((await client(app, other).get('/tags')).headers.get('x-ratelimit-remaining')).toBe('119');
  });

  it('is also the maximum cost of an operation', async () => {
    const { id } = await service.organization();
    const { key } = await keyOf(id, 3);
    const ask = graphql(appOn(service, { limit: 120 }), key);
    const counted = '{ a: tags { totalCount } b: tags { totalCount } }';
    const { status, json } = await ask(counted);
    expect([status, json.errors[0].extensions.code, json.errors[0].message]).toEqual([
      400,
      'query_too_complex',
      'The operation costs 4 points, more than the limit of the key: 3 points/minute',
    ]);
  });

  it.each([0, 1.5, 100_001, '5'])('cannot be %s', async (limit) => {
    const { id } = await service.organization();
    await expect(keyOf(id, limit as number)).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'rate_limit', message: 'must be an integer from 1 to 100000' }],
    });
  });
});
