import { describe, expect, it } from 'vitest';
import { onOneDatabase, type TestOrganization } from '../../support/service.ts';
import { compareList, type ListComparison } from './compare.ts';
import { randomDated } from './dated-list.ts';
import { randomMembers } from './member-list.ts';

const SEED = 3;
/** `npm run test:lists` compares many more. */
const COMBINATIONS = 5;

onOneDatabase((service) => {
  type Compare = (organization: TestOrganization, isAddedTo: boolean) => Promise<ListComparison>;
  const options = (isAddedTo: boolean) => ({ combinations: COMBINATIONS, seed: SEED, isAddedTo });
  const dated =
    (name: 'events' | 'services'): Compare =>
    async (organization, isAddedTo) =>
      compareList(service, organization, await randomDated(service, organization, name, 50, SEED), options(isAddedTo));
  const members: Compare = async (organization, isAddedTo) =>
    compareList(service, organization, await randomMembers(service, organization, 100, SEED), options(isAddedTo));

  describe.each([
    ['members', members],
    ['events', dated('events')],
    ['services', dated('services')],
  ])('filters and orders of %s', (_, compare) => {
    it.each([false, true])('match a computation in memory, while records are added: %s', async (isAddedTo) => {
      const result = await compare(await service.organization(), isAddedTo);
      expect(result).toMatchObject({ combinations: COMBINATIONS, difference: undefined });
      expect(result.added > 0).toBe(isAddedTo);
    });
  });
});
