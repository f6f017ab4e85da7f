import type pg from 'pg';

/** The protocol connection of a client, which emits server messages; missing in the driver's types. */
export function connectionOf(
  client: pg.ClientBase,
): NodeJS.EventEmitter<{ errorMessage: [{ readonly code?: string }] }> {
  return (client as unknown as { connection: ReturnType<typeof connectionOf> }).connection;
}
