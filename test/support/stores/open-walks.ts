import fc from 'fast-check';
import { expect } from 'vitest';
import { times } from '../data.ts';
import { insertsInto, type OpenTransaction, openTransactions } from './open-transactions.ts';

/** What happens after a page: a transaction adds records, commits or rolls back, or adds and commits at once. */
export const happenings = fc.array(
  fc.record({
    what: fc.constantFrom('add', 'add', 'add and commit', 'commit', 'rollback'),
    count: fc.integer({ min: 1, max: 4 }),
    /** The positions of the added records in the order of the list. */
    rank: fc.integer({ min: 0, max: 99 }),
  }),
  { minLength: 4, maxLength: 14 },
);

type Happening = typeof happenings extends fc.Arbitrary<(infer Value)[]> ? Value : never;

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
  readonly ids: string[];
}

/**
 * Reads all pages of a list while transactions run. Each record must be returned once: those that existed before and, if
 * new records come after the pages that were read, those that were committed before the last page was read.
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
  let open: Added | undefined;
  const [required, committed] = [new Set(initial), new Set(initial)];
  let pages = 0;
  let requiredWithNextPage: string[] = [];
  const happen = async ({ what, count, rank }: Happening) => {
    if (what.startsWith('add')) {
      open ??= { transaction: await transactions.begin(), ids: [] };
      const inserts = insertsInto(open.transaction.client, organizationId);
      for (const n of times(count, (index) => index)) open.ids.push(await add(inserts, (rank + n * 37) % 100));
    }
    if (!open || what === 'add') return;
    const { transaction, ids } = open;
    open = undefined;
    await transaction.end(what === 'rollback' ? 'ROLLBACK' : 'COMMIT');
    if (what === 'rollback') return;
    for (const id of ids) committed.add(id);
    if (isAppended || pages === 0) requiredWithNextPage.push(...ids);
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
