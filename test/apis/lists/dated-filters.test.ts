import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordsOf } from '../../support/records.ts';
import { onEachStore, type TestOrganization } from '../../support/service.ts';
import {
  compareText,
  expected,
  filterOf,
  orderOf,
  page,
  type WalkRequest,
  walkGraphql,
  walkRest,
} from './list-walks.ts';

/** LIST_COMBINATIONS=2000 compares more. */
const RUNS = Number(process.env.LIST_COMBINATIONS ?? 60);

interface DatedModel {
  readonly id: string;
  /** The first and the last day of each range of days. */
  readonly ranges: readonly (readonly [string, string])[];
  readonly sortKey: string;
}

const day = fc.integer({ min: 0, max: 120 }).map(dayAt);

function dayAt(n: number): string {
  return new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);
}

onEachStore((service) => {
  let organization: TestOrganization;
  beforeAll(async () => {
    organization = await service.organization();
  });

  describe.each(['events', 'services'] as const)('filters and orders of %s', (list) => {
    let models: DatedModel[];

    beforeAll(async () => {
      const records = recordsOf(service, organization.id);
      const days = fc.array(
        fc.record({ date: day, start_time: fc.option(fc.constantFrom('09:00', '18:30')), end_time: fc.constant(null) }),
        { maxLength: 3 },
      );
      const times = fc.option(fc.constantFrom('08:00', '20:15'));
      if (list === 'events') {
        const random = fc.sample(fc.record({ dates: days, startTime: times }), 80);
        models = [];
        for (const { dates, startTime } of random) {
          const { id } = await records.event({ dates, startTime });
          const starts = dates
            .map(({ date, start_time }) => `${date} ${start_time ?? startTime ?? ''}`)
            .sort(compareText);
          models.push({ id, ranges: dates.map(({ date }) => [date, date]), sortKey: starts[0] ?? '9999-12-31~' });
        }
      } else {
        const random = fc.sample(
          fc.record({
            kind: fc.constantFrom('dated', 'range', 'open', 'none'),
            from: day,
            more: fc.nat(40),
            startTime: times,
          }),
          80,
        );
        models = [];
        for (const { kind, from, more, startTime } of random) {
          const end = new Date(Date.parse(from) + more * 86_400_000);
          const start = new Date(from);
          const fields = {
            dated: { date: start },
            range: { startDate: start, endDate: end },
            open: { startDate: start },
            none: {},
          }[kind];
          const { id } = await records.service({ ...fields, startTime });
          const last = { dated: from, range: end.toISOString().slice(0, 10), open: '9999', none: '' }[kind] as string;
          models.push({
            id,
            ranges: kind === 'none' ? [] : [[from, last]],
            sortKey: `${kind === 'none' ? '9999-12-31' : from} ${startTime ?? ''}`,
          });
        }
      }
    });

    /** Days must lie between both ends, so both are compared at once. */
    const matching = ({ filter }: WalkRequest) => {
      const { from = '', until = '~' } = filter as { from?: string; until?: string };
      const isFiltered = Object.keys(filter).length > 0;
      return ({ ranges }: DatedModel) => !isFiltered || ranges.some(([first, last]) => first <= until && last >= from);
    };
    const requests = fc.record({
      filter: filterOf({ from: day, until: day }),
      order: orderOf('entry', 'date'),
      ...page,
    });

    it('are those of a computation in memory, in both APIs', async () => {
      await fc.assert(
        fc.asyncProperty(requests, async (request) => {
          const unfiltered = { ...request, filter: {} };
          const ids = expected(
            models.filter(matching(request)),
            unfiltered,
            () => true,
            ({ sortKey }) => sortKey,
          );
          expect(await walkRest(organization, `/${list}`, request)).toEqual(ids);
          expect(await walkGraphql(service, organization, list, request)).toEqual({ ids, totalCount: ids.length });
        }),
        { numRuns: RUNS / 2 },
      );
    });
  });
});
