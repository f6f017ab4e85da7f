/** The heartbeat interval of the database thread while no statement runs. */
export const HEARTBEAT_MS = 100;

/** The settings of the database thread. */
export interface WorkerSettings {
  /** The folder of PostgreSQL's files. */
  readonly folder: string;
  readonly socketPath: string;
  /** One 32-bit integer, incremented at every heartbeat. */
  readonly heartbeat: SharedArrayBuffer;
  readonly idleInTransactionMs: number;
}

/** The messages that the database thread sends. Any message that it receives makes it shut down. */
export type FromWorker =
  | { readonly type: 'listening' }
  | { readonly type: 'idleInTransaction' }
  | { readonly type: 'failed'; readonly reason: string };
