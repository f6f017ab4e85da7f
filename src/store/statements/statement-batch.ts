import type { Writable } from 'node:stream';
import pg from 'pg';
import type { FairPool } from '../connections/fair-pool.ts';
import { StoreBusyError } from '../connections/fair-queue.ts';
import { Abort } from './abort.ts';
import { sendCancelRequest } from './cancel-request.ts';
import type { PendingStatement } from './pending-statement.ts';

/** SQLSTATE of a statement that was cancelled, or ended by `statement_timeout`. */
export const QUERY_CANCELED = '57014';

/** How long to wait for the answer to a cancelled statement before it is cancelled again: the first request may come early. */
const CANCEL_RETRY_MS = 250;

/** After how long without an answer a connection is given up with its statement. */
const CANCELLING_MS = 2_000;

/** How long statements may take before they are given up. */
export interface StatementTimes {
  /** After they are sent; undefined: as long as they take. */
  readonly queryMs: number | undefined;
  /** After they are asked for, the wait for a connection included. */
  readonly totalMs: number;
}

/**
 * Statements that are sent over one connection in one write, each standing alone.
 *
 * A cancel request names a connection, not a statement: it stops what the backend runs when it arrives. It is sent
 * only while the oldest unanswered statement of the batch is given up. By the time it arrives, that one may have ended
 * and the next one may be hit: a read that is still wanted then runs again, on another connection. Writes are
 * alone in their batch. The connection is given back when all statements are answered and all cancel requests are
 * dealt with, so that none can hit who uses it next.
 */
export class StatementBatch {
  private client: pg.PoolClient | undefined;
  private sent: readonly PendingStatement[] = [];
  private cancelling: Promise<void> | undefined;
  private hasCancelled = false;
  private onAnswer: (() => void) | undefined;
  /** That of a statement which took too long: those behind it have it too. */
  private timeout: pg.DatabaseError | undefined;
  /** Why the connection cannot be used again. */
  private failure: Error | undefined;
  /** Ends the wait for a connection when nobody waits for a result any more. */
  private readonly unneeded = new Abort();

  /**
   * @param group whose connection is used, see {@link FairPool}.
   * @param times how long the statements may take.
   * @param repeat runs a read again that was cancelled in place of another.
   */
  constructor(
    private readonly pool: FairPool,
    private readonly group: string,
    private readonly statements: readonly PendingStatement[],
    private readonly times: StatementTimes,
    private readonly repeat: (statement: PendingStatement) => void,
  ) {}

  /** Resolves when the connection is given back; never rejects: each statement has its own result. */
  async run(): Promise<void> {
    const asked = performance.now();
    let timer: NodeJS.Timeout | undefined;
    for (const statement of this.statements) statement.onGivenUp = () => this.handleGivenUp();
    try {
      const client = await this.pool.connectFor(this.group, this.unneeded);
      this.client = client;
      timer = this.startTimer(performance.now() - asked);
      this.sent = this.statements.filter(({ isSettled }) => !isSettled);
      await Promise.all(coalesceWrites(client, () => this.sent.map((statement) => this.send(client, statement))));
      await this.cancelling;
    } catch (error) {
      this.failure = error as Error;
      for (const statement of this.statements) statement.fail(error);
      // It is unknown what was sent. The client alone would not end before results that may never come.
      if (this.client) streamOf(this.client).destroy();
    } finally {
      clearTimeout(timer);
      this.client?.release(this.failure);
    }
  }

  private startTimer(waitedMs: number): NodeJS.Timeout | undefined {
    const { queryMs, totalMs } = this.times;
    if (queryMs === undefined) return undefined;
    const giveUp = () => {
      const reason = this.timeout ?? new StoreBusyError('The statement was not answered in time');
      for (const statement of this.statements) statement.giveUp(reason);
    };
    return setTimeout(giveUp, Math.min(queryMs, totalMs - waitedMs));
  }

  /** Never rejects: a statement that fails, even before it is sent, fails alone. */
  private async send(client: pg.PoolClient, statement: PendingStatement): Promise<void> {
    try {
      const result = await statement.run(client);
      statement.isAnswered = true;
      statement.succeed(result);
    } catch (error) {
      statement.isAnswered = true;
      const isVictim = this.hasCancelled && !statement.isSettled && isCancelled(error);
      if (isVictim && statement.isRepeatable) {
        this.repeat(statement);
      } else {
        if (!statement.isSettled && isCancelled(error)) this.timeout = error;
        statement.fail(error);
      }
    }
    this.onAnswer?.();
    this.cancel(client);
  }

  private handleGivenUp(): void {
    if (this.client) this.cancel(this.client);
    else if (this.statements.every(({ isSettled }) => isSettled)) this.unneeded.abort(new StoreBusyError('Given up'));
  }

  /** What the backend runs now, as far as is known, if it was given up. */
  private runsForNobody(): PendingStatement | undefined {
    const oldest = this.sent.find(({ isAnswered }) => !isAnswered);
    return oldest?.isSettled ? oldest : undefined;
  }

  private cancel(client: pg.PoolClient): void {
    if (!this.cancelling && this.runsForNobody()) this.cancelling = this.cancelGivenUp(client);
  }

  private async cancelGivenUp(client: pg.PoolClient): Promise<void> {
    const started = performance.now();
    for (let given = this.runsForNobody(); given; given = this.runsForNobody()) {
      if (performance.now() - started > CANCELLING_MS) {
        this.failure = new StoreBusyError('A cancelled statement was not answered');
        streamOf(client).destroy();
        break;
      }
      this.hasCancelled = true;
      if (!(await sendCancelRequest(client)))
        this.failure = new StoreBusyError('A cancel request may still be carried out');
      if (!given.isAnswered) await this.nextAnswer();
    }
    this.cancelling = undefined;
  }

  private nextAnswer(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, CANCEL_RETRY_MS);
      this.onAnswer = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function isCancelled(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === QUERY_CANCELED;
}

/** The socket of a client. */
function streamOf(client: pg.PoolClient): Writable {
  return (client as unknown as { connection: { stream: Writable } }).connection.stream;
}

/**
 * The client writes each message by itself, five a statement. Joining them costs less than what a socket does for
 * every write, even for corked ones.
 */
function coalesceWrites<Result>(client: pg.PoolClient, send: () => Result): Result {
  const stream = streamOf(client);
  const { write } = stream;
  const messages: Buffer[] = [];
  stream.write = (message: Buffer) => messages.push(message) > 0;
  try {
    return send();
  } finally {
    // Put back, not deleted: an object that loses a property is slow from then on, and so is all that reads of sockets.
    stream.write = write;
    if (messages.length > 0) stream.write(Buffer.concat(messages));
  }
}
