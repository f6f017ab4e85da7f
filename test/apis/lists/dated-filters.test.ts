import { describe, expect, it } from 'vitest';
import { onOneDatabase } from '../../support/service.ts';
import { compareList } from './compare.ts';
import { DATED_LISTS, randomDated } from './dated-list.ts';

const SEED = 5;
const RECORDS = 50;
const COMBINATIONS = 6;

onOneDatabase((service) => {
  describe.each(DATED_LISTS)('filters and orders of %s', (name) => {
    it.each([false, true])('match a computation in memory, while records are added: %s', async (isAddedTo) => {
      const organization = await service.organization();
      const list = await randomDated(service, organization, name, RECORDS, SEED);
      const options = { combinations: COMBINATIONS, seed: SEED, isAddedTo };
      const result = await compareList(service, organization, list, options);
      expect(result).toMatchObject({ combinations: COMBINATIONS, difference: undefined });
      expect(result.added > 0).toBe(isAddedTo);
    });
  });
});
