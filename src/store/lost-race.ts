import pg from 'pg';

/** SQLSTATE of deadlocks and serialization failures. */
const ROLLED_BACK = /^40(P01|001)$/;

/** SQLSTATE of foreign key and unique violations. */
const ROW_CONFLICT = /^23(503|505)$/;

/** An error of Prisma Client, which wraps the driver's error. */
interface PrismaError {
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: string } } };
}

function sqlStateOf(error: unknown): string {
  if (error instanceof pg.DatabaseError) return error.code ?? '';
  const { meta } = Object(error) as PrismaError;
  return meta?.driverAdapterError?.cause?.originalCode ?? '';
}

/** Whether retrying the transaction may succeed: it lost a race and was rolled back. */
export function isLostRace(error: unknown): boolean {
  return ROLLED_BACK.test(sqlStateOf(error));
}

/**
 * Whether a concurrent write inserted or deleted a row that the write inserts or references. Only a lost race for writes
 * that looked up these rows before.
 */
export function isRowConflict(error: unknown): boolean {
  return ROW_CONFLICT.test(sqlStateOf(error));
}
