import type pg from 'pg';

/** A `query_timeout` of a day, in effect none. With 0, the driver uses the pool's timeout, which is short for requests. */
export const NO_QUERY_TIMEOUT_MS = 86_400_000;

/** The protocol connection of a client, which emits server messages; missing in the driver's types. */
export function connectionOf(
  client: pg.ClientBase,
): NodeJS.EventEmitter<{ errorMessage: [{ readonly code?: string }] }> {
  return (client as unknown as { connection: ReturnType<typeof connectionOf> }).connection;
}
