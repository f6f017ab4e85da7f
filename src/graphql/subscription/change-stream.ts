import { GraphQLError } from 'graphql';
import { WatchEndedError } from '../../domain/changes/change-watch.ts';
import type { ChangePage } from '../../domain/changes/changes.ts';
import type { Watch } from '../../domain/core/context.ts';
import type { ErrorCode } from '../../domain/core/errors.ts';
import { toServiceError } from '../../http/response/error-status.ts';
import { stringify } from '../data/response-body.ts';
import type { ExecutedOperation } from '../operation/execute.ts';
import type { StreamedChange } from '../schema/changes.ts';
import type { StreamBudget } from './stream-budget.ts';

interface ChangeStreamOptions {
  readonly pages: AsyncIterator<ChangePage>;
  readonly watch: Watch;
  readonly budget: StreamBudget;
  readonly responseName: string;
  /** The maximum number of changes for which the operation is executed at once. */
  readonly batchSize: number;
  /** Executes the operation for several changes: the value of its root field is a list. */
  readonly execute: (changes: readonly StreamedChange[]) => Promise<ExecutedOperation>;
  readonly formatAndLog: (errors: readonly unknown[]) => readonly object[];
}

/** How often the operation is executed for a change while the database is unavailable. */
const MAX_ATTEMPTS = 10;

/** The event after the last result. */
export const COMPLETE = 'event: complete\ndata:\n\n';

/**
 * The events of a subscription, as text: several at a time. An error ends the stream; so does a stop of the service, after
 * which clients connect again.
 *
 * Not a generator: its frame would keep the last changes in memory while it waits.
 */
export class ChangeStream implements AsyncIterator<string, undefined> {
  /** The changes of the page that have not been sent yet. */
  private changes: readonly StreamedChange[] = [];
  private isEnded = false;

  constructor(private readonly options: ChangeStreamOptions) {}

  async next(): Promise<IteratorResult<string, undefined>> {
    if (this.isEnded) return { done: true, value: undefined };
    try {
      if (this.changes.length === 0) await this.readPage();
      return { done: false, value: await this.nextEvents() };
    } catch (error) {
      await this.return();
      if (error instanceof WatchEndedError) return { done: true, value: undefined };
      return { done: false, value: `${eventText({ errors: this.options.formatAndLog([error]) })}${COMPLETE}` };
    }
  }

  /** Ends the stream, also while it waits for a change. */
  async return(): Promise<IteratorReturnResult<undefined>> {
    this.isEnded = true;
    this.options.watch.close();
    return { done: true, value: undefined };
  }

  private async readPage(): Promise<void> {
    const { pages, budget } = this.options;
    const { edges } = (await pages.next()).value as ChangePage;
    await budget.pay(edges.length);
    this.changes = edges.map(({ node, cursor }): StreamedChange => ({ cursor, ...node }));
  }

  /**
   * Executes the operation for the next changes: for fewer of them if the result would be too large.
   *
   * @throws {ServiceError} `unavailable` if the operation keeps failing with it; the client can continue from the last
   *   event.
   */
  private async nextEvents(): Promise<string> {
    const { watch, execute, batchSize } = this.options;
    let changes = this.changes.slice(0, batchSize);
    for (let attempt = 1; ; attempt++) {
      if (watch.abort.reason) throw watch.abort.reason;
      const result: ExecutedOperation = await execute(changes).catch((error: unknown) => ({
        errors: [error as never],
      }));
      const { errors = [], moreErrors = 0 } = result;
      const unavailable = errors.find((error) => codeOf(error) === 'unavailable');
      const isTooLarge = moreErrors > 0 || errors.some((error) => codeOf(error) === 'query_too_complex');
      // The errors of a single change are part of its event.
      if (!unavailable && (!isTooLarge || changes.length === 1)) {
        this.changes = this.changes.slice(changes.length);
        return this.textOf(result, changes);
      }
      if (unavailable && attempt >= MAX_ATTEMPTS) throw causeOf(unavailable);
      if (unavailable) await watch.changed();
      changes = changes.slice(0, Math.ceil(changes.length / 2));
    }
  }

  /** Splits the result for a list of changes into one event for each. */
  private textOf({ data, errors = [] }: ExecutedOperation, changes: readonly StreamedChange[]): string {
    const { responseName, formatAndLog } = this.options;
    const items = data?.[responseName] as readonly unknown[] | undefined;
    const events = changes.map(({ cursor }, index) => {
      const own = errors.filter(({ path }) => !path || path.length < 2 || path[1] === index).map(withoutIndex);
      const result = { data: items ? { [responseName]: items[index] } : null };
      return eventText(own.length > 0 ? { errors: formatAndLog(own), ...result } : result, cursor);
    });
    return events.join('');
  }
}

/** An event whose data is a result. In JSON, line breaks are only between values. */
export function eventText(result: object, id?: string): string {
  const data = stringify(result).replaceAll(/[\r\n]+/g, ' ');
  return `event: next\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

/** An error of an item as an error of the root field itself. */
function withoutIndex(error: GraphQLError): GraphQLError {
  const { message, nodes = null, originalError = null, extensions, path } = error;
  if (!path) return error;
  return new GraphQLError(message, { nodes, originalError, extensions, path: path.filter((_, index) => index !== 1) });
}

function causeOf(error: unknown): unknown {
  return error instanceof GraphQLError ? (error.originalError ?? error) : error;
}

function codeOf(error: unknown): ErrorCode {
  return toServiceError(causeOf(error)).code;
}
