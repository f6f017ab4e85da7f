import fc from 'fast-check';
import { recordsOf } from '../../support/records.ts';
import type { TestOrganization, TestService } from '../../support/service.ts';
import { compareText, type ModeledList, type RecordModel } from './list-model.ts';
import { filterOf, orderOf, page, type WalkRequest } from './list-walks.ts';

/** The lists of records with dates. */
export const DATED_LISTS = ['events', 'services'] as const;

interface DatedModel extends RecordModel {
  /** The first and the last day of each range. */
  readonly ranges: readonly (readonly [string, string])[];
  readonly sortKey: string;
}

const day = fc.integer({ min: 0, max: 120 }).map((n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10));

const randomEvent = fc.record({
  dates: fc.array(
    fc.record({ date: day, start_time: fc.option(fc.constantFrom('09:00', '18:30')), end_time: fc.constant(null) }),
    { maxLength: 3 },
  ),
  startTime: fc.option(fc.constantFrom('08:00', '20:15')),
});

const randomService = fc.record({
  kind: fc.constantFrom('dated', 'range', 'open', 'none'),
  from: day,
  more: fc.nat(40),
  startTime: fc.option(fc.constantFrom('08:00', '20:15')),
});

/** Adds random events or services to an empty organization. */
export async function randomDated(
  service: Pick<TestService, 'store'>,
  { id }: Pick<TestOrganization, 'id'>,
  name: (typeof DATED_LISTS)[number],
  count: number,
  seed: number,
): Promise<ModeledList<DatedModel>> {
  const records = recordsOf(service, id);
  const addRandom = async (numRuns: number, from: number): Promise<DatedModel[]> => {
    const models: DatedModel[] = [];
    if (name === 'events') {
      for (const values of fc.sample(randomEvent, { numRuns, seed: from }))
        models.push(await addEvent(records, values));
    } else {
      for (const values of fc.sample(randomService, { numRuns, seed: from }))
        models.push(await addService(records, values));
    }
    return models;
  };
  return {
    name,
    models: await addRandom(count, seed),
    requests: fc.record({
      filter: filterOf({ from: day, until: day }).filter(isInOrder),
      order: orderOf('entry', 'date'),
      ...page,
    }),
    matches,
    keyOf: ({ sortKey }) => sortKey,
    add: async (n) => (await addRandom(1, seed + n + 1))[0] as DatedModel,
  };
}

type Records = ReturnType<typeof recordsOf>;
type Random<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

async function addEvent(records: Records, { dates, startTime }: Random<typeof randomEvent>): Promise<DatedModel> {
  const { id } = await records.event({ dates, startTime });
  const starts = dates.map(({ date, start_time }) => `${date} ${start_time ?? startTime ?? ''}`).sort(compareText);
  return { id, ranges: dates.map(({ date }) => [date, date]), sortKey: starts[0] ?? '9999-12-31~' };
}

async function addService(
  records: Records,
  { kind, from, more, startTime }: Random<typeof randomService>,
): Promise<DatedModel> {
  const start = new Date(from);
  const end = new Date(start.getTime() + more * 86_400_000);
  const fields = {
    dated: { date: start },
    range: { startDate: start, endDate: end },
    open: { startDate: start },
    none: {},
  }[kind];
  const { id } = await records.service({ ...fields, startTime });
  const last = { dated: from, range: end.toISOString().slice(0, 10), open: '9999', none: '' }[kind] as string;
  return {
    id,
    ranges: kind === 'none' ? [] : [[from, last]],
    sortKey: `${kind === 'none' ? '9999-12-31' : from} ${startTime ?? ''}`,
  };
}

/** The range of a filter. */
function rangeOf(filter: WalkRequest['filter']): readonly [from: string, until: string] {
  const { from = '', until = '~' } = filter as { from?: string; until?: string };
  return [from, until];
}

/** Whether the range of a filter does not end before it starts, which is an error. */
function isInOrder(filter: WalkRequest['filter']): boolean {
  const [from, until] = rangeOf(filter);
  return from <= until;
}

/** Whether a day of the record is in the range of the filter. */
function matches({ ranges }: DatedModel, filter: WalkRequest['filter']): boolean {
  const [from, until] = rangeOf(filter);
  return Object.keys(filter).length === 0 || ranges.some(([first, last]) => first <= until && last >= from);
}
