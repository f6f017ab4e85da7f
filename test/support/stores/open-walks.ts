import fc from 'fast-check';
import { expect } from 'vitest';
import { times } from '../data.ts';
import { insertsInto, type OpenTransaction, openTransactions } from './open-transactions.ts';

/**
 * What happens after a page: one of three transactions adds records, commits or rolls back, or adds and commits at
 * once.
 */
export const happenings = fc.array(
  fc.record({
    transaction: fc.integer({ min: 0, max: 2 }),
    what: fc.constantFrom('add', 'add', 'add and commit', 'commit', 'rollback'),
    count: fc.integer({ min: 1, max: 4 }),
    /** The positions of the added records in the order of the list. */
    rank: fc.integer({ min: 0, max: 99 }),
  }),
  { minLength: 4, maxLength: 14 },
);

type Happening = typeof happenings extends fc.Arbitrary<(infer Value)[]> ? Value : never;

/** The same with one transaction, for records that only one at a time can add: the change feed locks a department. */
export function inOneTransaction(plan: readonly Happening[]): readonly Happening[] {
  return plan.map((happening) => ({ ...happening, transaction: 0 }));
}

/** A list, and how to add a record to it. */
export interface WalkedList {
  readonly organizationId: string;
  /** The ids of its initial records. */
  readonly initial: readonly string[];
  /** Adds a record, at a rank from 0 to 99 in the order of the list, and returns its id. */
  add(inserts: ReturnType<typeof insertsInto>, rank: number): Promise<string>;
  /** Whether all new records come after the pages that were read. */
  readonly isAppended: boolean;
}

/** The records added by a transaction. */
interface Added {
  readonly transaction: OpenTransaction;
  /** The number of pages read when it started. */
  readonly began: number;
  readonly ids: string[];
}

/**
 * Reads all pages of a list while transactions run. Each record must be returned once: those that existed before, and those
 * of each transaction that was running when a page was read and committed before the last page was.
 *
 * @param walk calls its argument after each page, and returns the ids that it has read.
 */
export async function expectCompleteWalk(
  databaseUrl: string,
  { organizationId, initial, add, isAppended }: WalkedList,
  plan: readonly Happening[],
  walk: (onPage: () => Promise<void>) => Promise<readonly string[]>,
): Promise<void> {
  const transactions = openTransactions(databaseUrl);
  const open = new Map<number, Added>();
  const [required, committed] = [new Set(initial), new Set(initial)];
  let pages = 0;
  let requiredWithNextPage: string[] = [];
  const begin = async (): Promise<Added> => ({ transaction: await transactions.begin(), began: pages, ids: [] });
  const happen = async ({ transaction: number, what, count, rank }: Happening) => {
    if (what.startsWith('add')) {
      const added = open.get(number) ?? (await begin());
      open.set(number, added);
      const inserts = insertsInto(added.transaction.client, organizationId);
      for (const n of times(count, (index) => index)) added.ids.push(await add(inserts, (rank + n * 37) % 100));
    }
    const added = open.get(number);
    if (!added || what === 'add') return;
    open.delete(number);
    await added.transaction.end(what === 'rollback' ? 'ROLLBACK' : 'COMMIT');
    if (what === 'rollback') return;
    for (const id of added.ids) committed.add(id);
    const ranWhileRead = added.began < pages;
    if (isAppended || ranWhileRead || pages === 0) requiredWithNextPage.push(...added.ids);
  };
  const steps = [...plan];
  const proceed = async (count: number) => {
    for (const step of steps.splice(0, count)) await happen(step);
  };
  try {
    await proceed(1);
    const read = await walk(async () => {
      pages++;
      for (const id of requiredWithNextPage) required.add(id);
      requiredWithNextPage = [];
      await proceed(2);
    });
    expect(read.filter((id, index) => read.indexOf(id) !== index)).toEqual([]);
    expect([...required].filter((id) => !read.includes(id))).toEqual([]);
    expect(read.filter((id) => !committed.has(id))).toEqual([]);
  } finally {
    await transactions.close();
  }
}
