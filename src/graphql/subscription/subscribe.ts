import { getArgumentValues } from 'graphql';
import type { Context } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import type { Authentication } from '../../auth/authentication.ts';
import type { ChangePage } from '../../domain/changes/changes.ts';
import { Abort, type Context as DomainContext } from '../../domain/core/context.ts';
import { invalidRequest, ServiceError } from '../../domain/core/errors.ts';
import { MAX_PAGE_SIZE } from '../../domain/lists/page.ts';
import { type ContextOptions, createContext, type GraphQLContext } from '../data/context.ts';
import type { NormalField } from '../document/normal-form.ts';
import type { MeasuredOperation } from '../operation/check-request.ts';
import type { FormatAndLog } from '../operation/errors.ts';
import { type Executor, executeInTurn, HEAVY_WORK } from '../operation/execute.ts';
import { neededScopes } from '../operation/needed-scopes.ts';
import { ChangeStream } from './change-stream.ts';
import { StreamBudget } from './stream-budget.ts';

/** The media type of Server-Sent Events. */
export const EVENT_STREAM = 'text/event-stream';

/** One of these must be in the header `Accept`. */
const ACCEPTED = [EVENT_STREAM, 'text/*', '*/*'];

export interface SubscribeOptions extends Executor, ContextOptions {
  readonly authentication: Pick<Authentication, 'chargeStream'>;
  readonly formatAndLog: FormatAndLog;
}

/**
 * Starts the stream of a subscription. A stream stays in memory for hours, so it must not refer to the HTTP request.
 *
 * @returns its events as text, after the first page of changes has been read.
 * @throws {ServiceError} `rate_limited` and `unavailable` for too many streams, `method_not_allowed`, `invalid_request`, and
 *   the errors of `followChanges`.
 */
export async function subscribe(
  c: Context,
  measured: MeasuredOperation,
  context: GraphQLContext,
  options: SubscribeOptions,
): Promise<ChangeStream> {
  const { domainContext } = context;
  const { changeWatch, caller } = domainContext;
  if (!changeWatch) throw new TypeError('Nothing watches for changes');
  const { operation, variables, points, work } = measured;
  const { definition, nodes, responseName } = rootFieldOf(measured);
  checkTransport(c);
  const args = getArgumentValues(definition, nodes[0], variables);
  const { needed } = neededScopes(operation, variables, caller.scopes);
  const held = needed.filter((scope) => caller.scopes.has(scope));
  const watch = changeWatch.startStream(caller, held);
  domainContext.abort?.addListener(() => watch.close());
  try {
    context.watch = watch;
    const lastEventId = c.req.header('last-event-id') || undefined;
    const source = { ...args, after: lastEventId ?? args.after };
    const pages = await Promise.resolve(definition.subscribe?.(undefined, source, context, undefined as never)).catch(
      (error: unknown) => {
        const isOfHeader =
          lastEventId !== undefined && error instanceof ServiceError && error.code === 'invalid_cursor';
        throw isOfHeader ? new ServiceError(error.code, `Last-Event-ID: ${error.message}`) : error;
      },
    );
    const charge = (points: number) => options.authentication.chargeStream(caller, points);
    return new ChangeStream({
      pages: pages as AsyncIterator<ChangePage>,
      watch,
      budget: new StreamBudget(charge, points, watch.abort),
      responseName,
      batchSize: Math.max(1, Math.min(MAX_PAGE_SIZE, Math.floor(HEAVY_WORK / work.amount))),
      execute: (changes) => {
        const executionContext = contextFor(domainContext, options);
        const workOfBatch = {
          ...work,
          amount: work.amount * changes.length,
          abort: executionContext.abort,
          requestAbort: watch.abort,
        };
        return executeInTurn(options, { ...measured, work: workOfBatch }, executionContext, changes);
      },
      formatAndLog: (errors) => options.formatAndLog(errors, domainContext.apiRequest.requestId).errors,
    });
  } catch (error) {
    watch.close();
    throw error;
  }
}

/** The root field; validation ensures that there are not several. */
function rootFieldOf({ operation: { selection } }: MeasuredOperation): NormalField {
  const [field] = selection.fields;
  if (field) return field;
  throw selection.error ?? invalidRequest({ field: 'query', message: 'must select a field' });
}

/** @throws {ServiceError} if the response cannot be a stream. */
function checkTransport(c: Context): void {
  if (c.req.method === 'HEAD')
    throw new ServiceError('method_not_allowed', 'Subscriptions must be sent with GET or POST');
  const accepted = parseAccept(c.req.header('accept') || '*/*');
  if (!accepted.some(({ type, q }) => ACCEPTED.includes(type.toLowerCase()) && q > 0))
    throw invalidRequest({
      field: 'Accept',
      message: `must allow ${EVENT_STREAM}, because a subscription is a stream`,
    });
}

/** The context of an execution, which can be aborted without ending the stream. */
function contextFor(domainContext: DomainContext, options: ContextOptions): GraphQLContext {
  const abort = new Abort();
  const db = domainContext.db.forRequest({ organizationId: domainContext.caller.organization.id, abort });
  return createContext(Object.assign({}, domainContext, { abort, db }), options);
}
