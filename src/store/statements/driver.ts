import type pg from 'pg';

/** The connection of a client, which passes on what the server says; the driver's types leave it out. */
export function connectionOf(
  client: pg.ClientBase,
): NodeJS.EventEmitter<{ errorMessage: [{ readonly code?: string }] }> {
  return (client as unknown as { connection: ReturnType<typeof connectionOf> }).connection;
}
