import pg from 'pg';

/** SQLSTATE classes and codes: a transaction rolled back as a deadlock's victim or because of another one. */
const ROLLED_BACK = /^40(P01|001)$/;

/** SQLSTATE codes: a row that is referred to is missing or in use; a row of this key exists. */
const ROW_CONFLICT = /^23(503|505)$/;

/** An error of Prisma Client: what the driver said is inside. */
interface PrismaError {
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: string } } };
}

function sqlStateOf(error: unknown): string {
  if (error instanceof pg.DatabaseError) return error.code ?? '';
  const { meta } = Object(error) as PrismaError;
  return meta?.driverAdapterError?.cause?.originalCode ?? '';
}

/** Whether running the same transaction again may succeed: it lost a race, nothing was written. */
export function isLostRace(error: unknown): boolean {
  return ROLLED_BACK.test(sqlStateOf(error));
}

/**
 * Whether a row appeared or vanished that the write was to make or refer to. That is a lost race only for writes that
 * looked for these rows before.
 */
export function isRowConflict(error: unknown): boolean {
  return ROW_CONFLICT.test(sqlStateOf(error));
}
