import pg from 'pg';
import type { FairPool } from '../connections/fair-pool.ts';
import { StoreBusyError } from '../connections/fair-queue.ts';
import { Abort } from './abort.ts';
import { sendCancelRequest } from './cancel-request.ts';
import { connectionOf } from './driver.ts';
import type { PendingStatement } from './pending-statement.ts';

/** SQLSTATE of a cancelled statement, also by `statement_timeout`. */
export const QUERY_CANCELED = '57014';

/** A statement is cancelled again after this time, because the first request may have arrived too early. */
const CANCEL_RETRY_MS = 250;

/** A connection is closed when a cancelled statement has no response after this time. */
const MAX_CANCELLING_MS = 2_000;

/** Timeouts of statements. */
export interface StatementTimeouts {
  /** Milliseconds from when it is sent; undefined for no timeout. */
  readonly queryMs: number | undefined;
  /** When the statements must have ended, including the wait for a connection; a time of `performance.now()`. */
  readonly deadline: number;
}

/**
 * Independent statements that are sent over one connection in one write.
 *
 * A cancel request identifies a connection, not a statement: it cancels the statement that is running when the request
 * arrives. It is sent only if the oldest statement without a response has been given up. If that statement has ended
 * when the request arrives, the next one may be cancelled instead. If this is a read, it is repeated on another
 * connection; a write is always alone in its batch. The connection is released when all statements have responses and
 * all cancel requests are handled, so that no cancel request affects the next user of the connection.
 */
export class StatementBatch {
  private client: pg.PoolClient | undefined;
  private sent: readonly PendingStatement[] = [];
  private cancelling: Promise<void> | undefined;
  private hasCancelled = false;
  private onResponse: (() => void) | undefined;
  /** The error of a statement that timed out; the statements after it get the same error. */
  private timeout: pg.DatabaseError | undefined;
  /** Why the connection cannot be reused. */
  private failure: Error | undefined;
  /** Aborts the wait for a connection when all statements are settled. */
  private readonly waitAbort = new Abort();

  /**
   * @param group the group of the connection, see {@link FairPool}.
   * @param repeat repeats a read that was cancelled instead of another statement.
   */
  constructor(
    private readonly pool: FairPool,
    private readonly group: string,
    private readonly statements: readonly PendingStatement[],
    private readonly timeouts: StatementTimeouts,
    private readonly repeat: (statement: PendingStatement) => void,
  ) {}

  /** Resolves when the connection is released; never rejects, as each statement has its own result. */
  async run(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const onGivenUp = () => this.handleGivenUp();
    for (const statement of this.statements) statement.onGivenUp = onGivenUp;
    try {
      const client = await this.pool.connectFor(this.group, this.waitAbort);
      this.client = client;
      timer = this.startTimer();
      this.sent = this.statements.filter(({ isSettled }) => !isSettled);
      await Promise.all(coalesceWrites(client, () => this.sent.map((statement) => this.send(client, statement))));
      await this.cancelling;
    } catch (error) {
      this.failure = error as Error;
      for (const statement of this.statements) statement.fail(error);
      // It is unknown which messages were sent, so the client could wait for results that never arrive.
      if (this.client) connectionOf(this.client).stream.destroy();
    } finally {
      clearTimeout(timer);
      this.client?.release(this.failure);
    }
  }

  private startTimer(): NodeJS.Timeout | undefined {
    const { queryMs, deadline } = this.timeouts;
    if (queryMs === undefined) return undefined;
    const giveUp = () => {
      const reason = this.timeout ?? new StoreBusyError('PostgreSQL did not respond in time');
      for (const statement of this.statements) statement.giveUp(reason);
    };
    return setTimeout(giveUp, Math.min(queryMs, deadline - performance.now()));
  }

  /** Never rejects: an error of one statement does not affect the others. */
  private async send(client: pg.PoolClient, statement: PendingStatement): Promise<void> {
    try {
      const result = await statement.run(client);
      statement.hasResponse = true;
      statement.succeed(result);
    } catch (error) {
      statement.hasResponse = true;
      const isCancelledForAnother = this.hasCancelled && !statement.isSettled && isCancelled(error);
      if (isCancelledForAnother && statement.isRepeatable) {
        this.repeat(statement);
      } else {
        if (!statement.isSettled && isCancelled(error)) this.timeout = error;
        statement.fail(error);
      }
    }
    this.onResponse?.();
    this.cancel(client);
  }

  private handleGivenUp(): void {
    if (this.client) this.cancel(this.client);
    else if (this.statements.every(({ isSettled }) => isSettled)) this.waitAbort.abort(new StoreBusyError('Given up'));
  }

  /** The oldest statement without a response, which the backend presumably runs, if it was given up. */
  private oldestGivenUp(): PendingStatement | undefined {
    const oldest = this.sent.find(({ hasResponse }) => !hasResponse);
    return oldest?.isSettled ? oldest : undefined;
  }

  private cancel(client: pg.PoolClient): void {
    if (!this.cancelling && this.oldestGivenUp()) this.cancelling = this.cancelGivenUp(client);
  }

  private async cancelGivenUp(client: pg.PoolClient): Promise<void> {
    const started = performance.now();
    for (let statement = this.oldestGivenUp(); statement; statement = this.oldestGivenUp()) {
      if (performance.now() - started > MAX_CANCELLING_MS) {
        this.failure = new StoreBusyError('A cancelled statement got no response');
        connectionOf(client).stream.destroy();
        break;
      }
      this.hasCancelled = true;
      if (!(await sendCancelRequest(client)))
        this.failure = new StoreBusyError('A cancel request may still be carried out');
      if (!statement.hasResponse) await this.nextResponse();
    }
    this.cancelling = undefined;
  }

  private nextResponse(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, CANCEL_RETRY_MS);
      this.onResponse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function isCancelled(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === QUERY_CANCELED;
}

/**
 * Joins the messages that the client sends during `send`, five per statement, into one write. This costs less than
 * separate writes, even if they are corked.
 */
function coalesceWrites<Result>(client: pg.PoolClient, send: () => Result): Result {
  const { stream } = connectionOf(client);
  const { write } = stream;
  const messages: Buffer[] = [];
  const collect = (message: Buffer) => messages.push(message) > 0;
  stream.write = collect;
  try {
    return send();
  } finally {
    // Restored, not deleted: deleting a property makes V8 objects slow.
    stream.write = write;
    if (messages.length > 0) stream.write(Buffer.concat(messages));
  }
}
