import { AsyncResource } from 'node:async_hooks';
import type pg from 'pg';
import type { Abort } from './abort.ts';

/** A connection that runs statements. */
export type Connection = Pick<pg.ClientBase, 'query'>;

/** Runs a statement on a connection. */
export type RunOnConnection<Result> = (connection: Connection) => Promise<Result>;

export interface PendingOptions {
  /** Aborts the statement. */
  readonly abort?: Abort | undefined;
  /** Whether it may run again if it was cancelled by mistake instead of another statement: true for reads. */
  readonly isRepeatable: boolean;
}

/** A statement whose result is pending or settled. */
export class PendingStatement {
  readonly result: Promise<unknown>;
  /** Whether it has a result, or was aborted. */
  isSettled = false;
  /** Whether PostgreSQL has responded; until then it may be running. */
  hasResponse = false;
  readonly isRepeatable: boolean;
  readonly abort: Abort | undefined;
  /** Called when the statement is given up. */
  onGivenUp: (() => void) | undefined;
  // Keeps the asynchronous context of the request for tracing.
  private readonly context = new AsyncResource('Statement');
  private readonly aborted = () => this.giveUp(this.abort?.reason as Error);
  private resolve!: (result: unknown) => void;
  private reject!: (error: unknown) => void;

  constructor(
    private readonly runOn: RunOnConnection<unknown>,
    { abort, isRepeatable }: PendingOptions,
  ) {
    this.isRepeatable = isRepeatable;
    this.abort = abort;
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    abort?.addListener(this.aborted);
  }

  /** Sends the statement; rejects if it fails, even before it is sent. */
  async run(connection: Connection): Promise<unknown> {
    return this.context.runInAsyncScope(this.runOn, undefined, connection);
  }

  succeed(result: unknown): void {
    if (this.settle()) this.resolve(result);
  }

  fail(error: unknown): void {
    if (this.settle()) this.reject(error);
  }

  /** Rejects the result now; a running statement continues until it is cancelled. */
  giveUp(reason: Error): void {
    if (this.isSettled) return;
    this.fail(reason);
    this.onGivenUp?.();
  }

  /** Marks it as settled. @returns false if it already was. */
  private settle(): boolean {
    if (this.isSettled) return false;
    this.isSettled = true;
    this.abort?.removeListener(this.aborted);
    return true;
  }
}
