import type { Prisma } from './generated/client.ts';

/** The time of the database, by which keys, sessions and links expire. In a transaction, the time at which it began. */
export async function databaseTime(prisma: Prisma.TransactionClient): Promise<Date> {
  const [row] = await prisma.$queryRaw<{ now: Date }[]>`SELECT now()`;
  return (row as { now: Date }).now;
}
