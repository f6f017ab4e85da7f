import { describe, expect, it } from 'vitest';
import { person, times } from '../../support/data.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneDatabase } from '../../support/service.ts';
import { compareList } from './compare.ts';
import { walkGraphql, walkRest } from './list-walks.ts';
import { randomMembers } from './member-list.ts';

const SEED = 3;
const MEMBERS = 100;
const COMBINATIONS = 10;

onOneDatabase((service) => {
  describe('filters and orders of members', () => {
    it.each([false, true])('match a computation in memory, while members are added: %s', async (isAddedTo) => {
      const organization = await service.organization();
      const list = await randomMembers(service, organization, MEMBERS, SEED);
      const options = { combinations: COMBINATIONS, seed: SEED, isAddedTo };
      const result = await compareList(service, organization, list, options);
      expect(result).toMatchObject({ combinations: COMBINATIONS, difference: undefined });
      expect(result.added > 0).toBe(isAddedTo);
    });
  });

  describe('while members are added', () => {
    const orders = [
      ['entry', false],
      ['entry', true],
      ['name', false],
      ['updated_at', true],
    ] as const;
    const cases = orders.flatMap(([field, descending]) =>
      [false, true].map((isFiltered) => ({ field, descending, isFiltered })),
    );

    it.each(cases)(
      'neither skips nor repeats members: $field, descending $descending, filtered $isFiltered',
      async (one) => {
        const organization = await service.organization();
        const records = recordsOf(service, organization.id);
        const { id: tag } = await records.tag();
        const add = async (last: string): Promise<string> =>
          (await organization.post('/members', person({ last_name: last, tag_ids: [tag] }))).json.data.id;
        const before: string[] = [];
        for (const n of times(15, (index) => index)) before.push(await add(`Old ${String(n).padStart(2, '0')}`));
        if (one.descending) before.reverse();
        const added: Promise<string>[] = [];
        const onPage = () => {
          if (added.length < 12) for (const last of ['A', 'Old 07', 'Z']) added.push(add(last));
        };
        const request = {
          filter: one.isFiltered ? { tag_id: [tag] } : {},
          order: { field: one.field, descending: one.descending },
          size: 4,
          backwards: false,
        };
        const walks = await Promise.all([
          walkRest(organization, '/members', request, onPage),
          walkGraphql(service, organization, 'members', request, onPage).then(({ ids }) => ids),
          walkGraphql(service, organization, 'members', { ...request, backwards: true }, onPage).then(({ ids }) => ids),
        ]);
        const known = new Set([...before, ...(await Promise.all(added))]);
        for (const ids of walks) {
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids.filter((id) => before.includes(id))).toEqual(before);
          expect(ids.filter((id) => !known.has(id))).toEqual([]);
        }
      },
    );
  });
});
