import { afterEach, expect, it, vi } from 'vitest';
import { SERVICE } from '../../../src/store/connections/fair-pool.ts';
import { times } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { onEachStore } from '../../support/service.ts';

onEachStore((service) => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Records the groups for which connections are acquired, except that of the service, which also works by itself. */
  const observeGroups = () => {
    const connectFor = vi.spyOn(service.store.pool, 'connectFor');
    return () => new Set(connectFor.mock.calls.map(([group]) => group).filter((group) => group !== SERVICE));
  };

  it('acquires connections of Prisma Client for the organization whose data it reads', async () => {
    const organizations = await Promise.all(times(3, () => service.organization()));
    const groups = observeGroups();
    const keys = await Promise.all(
      organizations.map(({ id }) => service.store.prisma.apiKey.findFirst({ where: { organizationId: id } })),
    );
    expect(keys.map((key) => key?.id)).toEqual(organizations.map(({ keyId }) => keyId));
    expect(groups()).toEqual(new Set(organizations.map(({ id }) => id)));
  });

  it('acquires connections for other reads in the default group', async () => {
    const groups = observeGroups();
    await service.store.prisma.organization.findMany({ take: 1 });
    await service.store.pool.query('SELECT 1');
    expect(groups()).toEqual(new Set(['others']));
  });

  it('acquires all connections of a viewer query for its organization or the service', async () => {
    const { key, id } = await service.organization();
    const query = `{ viewer { organization { name } key { name
      usage { edges { node { day scopes { scope } } } } auditEntries { edges { node { id } } } } } }`;
    const groups = observeGroups();
    const { json } = await graphql(service.app, key)(query);
    expect(json.errors).toBeUndefined();
    expect(groups()).toEqual(new Set([id]));
  });
});
