import type { Prisma } from './generated/client.ts';

/**
 * The time of the database, by which keys, sessions and links expire, rounded like that of its columns. In a transaction,
 * the time at which it began.
 */
export async function databaseTime(prisma: Prisma.TransactionClient): Promise<Date> {
  const [row] = await prisma.$queryRaw<{ now: Date }[]>`SELECT now()::timestamptz(3)`;
  return (row as { now: Date }).now;
}
