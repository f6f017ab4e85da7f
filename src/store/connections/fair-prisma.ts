import { PrismaPg } from '@prisma/adapter-pg';
import type { FairPool } from './fair-pool.ts';

const ORGANIZATION_ID = /^org_[0-9a-z]{26}$/;

/**
 * Prisma Client's driver adapter on a {@link FairPool}. A statement takes its connection for the organization whose id
 * is among the values of the statement; every condition on tenant records contains it. Prisma Client passes no other
 * context to the adapter, and AsyncLocalStorage doubles the cost of every promise in Node.js 20.
 */
export class FairPrismaPg extends PrismaPg {
  constructor(private readonly pool: FairPool) {
    super(pool);
  }

  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = (query) => {
      const id = query.args.find((value) => typeof value === 'string' && ORGANIZATION_ID.test(value));
      return this.pool.withGroup(id as string | undefined, () => queryRaw(query));
    };
    return adapter;
  }
}
