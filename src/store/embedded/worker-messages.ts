/** How often the thread of the database shows that it is not busy with a single statement. */
export const HEARTBEAT_MS = 100;

/** What the thread of the database is started with. */
export interface WorkerSettings {
  /** Where PostgreSQL keeps its files. */
  readonly folder: string;
  readonly socketPath: string;
  /** One 32-bit integer, incremented at every heartbeat. */
  readonly heartbeat: SharedArrayBuffer;
  readonly idleInTransactionMs: number;
}

/** What the thread of the database says. Any message to it asks it to close. */
export type FromWorker =
  | { readonly type: 'listening' }
  | { readonly type: 'idleInTransaction' }
  | { readonly type: 'broken'; readonly reason: string };
