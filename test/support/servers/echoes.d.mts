import type { Database } from '../../../src/store/database.ts';

/**
 * Sends concurrent statements that each return their own parameters, of several types and lengths.
 *
 * @returns those that received a different result.
 */
export declare function echoes(db: Database, name: string, count: number): Promise<unknown[]>;
