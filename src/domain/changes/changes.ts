import { z } from 'zod';
import type { Context } from '../core/context.ts';
import { ServiceError } from '../core/errors.ts';
import { defineOperation, type NeededScope, requireScope } from '../core/operation.ts';
import { unvalidatedField } from '../core/parse-input.ts';
import type { Scope } from '../core/scopes.ts';
import { decodeCursor, encodeCursors, type ListIdentity } from '../cursors/cursor.ts';
import { ENTITIES, type EntityName } from '../entities/registry.ts';
import { DEFAULT_PAGE_SIZE, pageShape } from '../lists/page.ts';
import { WatchEndedError } from './change-watch.ts';
import { cursorOf, isInHistory, readChanges, startNumberOf, startOf } from './read-changes.ts';

/** The resources of the change feed: the names of the lists of all entities. */
export const CHANGE_RESOURCES = Object.keys(ENTITIES) as readonly EntityName[];

/** The operations of changes, with the description of each. */
export const CHANGE_OPERATIONS = {
  created: 'The record was added.',
  updated: 'The record, or a part of it, was changed.',
  removed: 'The record was removed, or is no longer shown.',
} as const;

/** The latest change of a record. */
export interface Change {
  readonly resource: EntityName;
  /** The id of the record; the integer id of a form as text. */
  readonly id: string;
  readonly operation: keyof typeof CHANGE_OPERATIONS;
  /** When it was changed: ISO 8601. */
  readonly at: string;
}

/** A page of the change feed. */
export interface ChangePage {
  readonly edges: readonly { readonly node: Change; readonly cursor: string }[];
  /** The cursor of the next request. On an empty page: the cursor that was sent, or that of the start of the feed. */
  readonly nextCursor: string;
  readonly hasMore: boolean;
  /** The last number of the organization's counter when the page was read. */
  readonly lastNumber: string;
}

const resources = z
  .array(z.enum(CHANGE_RESOURCES))
  .min(1, { error: `must contain at least one of ${CHANGE_RESOURCES.join(', ')}; omit it for all of them` })
  .max(CHANGE_RESOURCES.length, { error: `must contain at most ${CHANGE_RESOURCES.length} resources` })
  .nullish()
  .describe(
    'The resources whose changes are returned. Default: all resources for which the key has the scope. A cursor is valid only for the resources of the request that returned it.',
  );

/** The maximum time for which a request waits for changes, in seconds. Longer ones are reduced to it. */
export const MAX_WAIT_SECONDS = 25;

const NOT_SECONDS = { error: 'must be an integer from 0, a number of seconds, for example 25' };

const wait = z
  .number(NOT_SECONDS)
  .refine((seconds) => Number.isInteger(seconds) && seconds >= 0, NOT_SECONDS)
  .meta({ type: 'integer', minimum: 0 })
  .transform((seconds) => Math.min(seconds, MAX_WAIT_SECONDS))
  .nullish()
  .describe(
    `If there are no changes yet, the response is sent when there are, or empty after this many seconds. Default: 0. Numbers above ${MAX_WAIT_SECONDS} are treated as ${MAX_WAIT_SECONDS}.`,
  );

/**
 * `GET /changes`: the records that were created, updated or removed since a cursor, each with its latest change, in the
 * order of these changes. One statement, and one for each change of the organization while it waits.
 *
 * @throws {ServiceError} `missing_scope` for a requested resource, or if the key has the scope of none; `invalid_cursor`,
 *   also if the database was restored or moved since the cursor.
 */
export const listChanges = defineOperation({
  name: 'listChanges',
  scope: [...new Set(Object.values(ENTITIES).map(({ entity }) => entity.scope))],
  input: z.strictObject({ first: pageShape.first, after: pageShape.after, resources, wait }),
  scopesOfInput: (input) => scopesOfResources(unvalidatedField(input, 'resources')),
  run: async (context, { first, after, resources: requested, wait: seconds }): Promise<ChangePage> => {
    const included = resourcesOf(context, requested);
    const read = () => readPage(context, included, after, first ?? DEFAULT_PAGE_SIZE);
    return seconds ? readUntilChanged(context, scopesOf(included), seconds, read) : read();
  },
});

/**
 * Reads a page until it has changes.
 *
 * @param scopes the scopes that the page needs.
 * @returns the last page that was read, which is empty if the time is over, the service stops or too many requests wait.
 * @throws {ServiceError} if the key is revoked, expires or loses a scope meanwhile.
 */
async function readUntilChanged(
  { changeWatch, caller, abort }: Context,
  scopes: readonly Scope[],
  seconds: number,
  read: () => Promise<ChangePage>,
): Promise<ChangePage> {
  let page = await read();
  const watch = page.edges.length === 0 ? changeWatch?.startWaiting(caller, scopes) : undefined;
  if (!watch) return page;
  const close = () => watch.close();
  abort?.addListener(close);
  const deadline = performance.now() + seconds * 1_000;
  try {
    while (page.edges.length === 0 && (await watch.changed(page.lastNumber, deadline - performance.now())))
      page = await read();
  } catch (error) {
    if (!(error instanceof WatchEndedError)) throw error;
  } finally {
    abort?.removeListener(close);
    watch.close();
  }
  return page;
}

/** Reads a page of the feed. */
async function readPage(
  context: Context,
  included: readonly EntityName[],
  after: string | null | undefined,
  size: number,
): Promise<ChangePage> {
  const { appSecret, caller } = context;
  const identity = feedOf(caller.organization.id, included);
  const decoded = after == null ? undefined : decodeCursor(appSecret, identity, after);
  const { state, rows } = await readChanges(context, included, decoded, size + 1);
  if (decoded && !isInHistory(state, decoded)) {
    throw new ServiceError(
      'invalid_cursor',
      'The records were restored or moved since this cursor, or removed records are no longer listed; start without one',
    );
  }
  const startNumber = startNumberOf(state, decoded);
  const shown = rows.slice(0, size);
  const ofRows = shown.map(({ number }) => cursorOf(state.epoch, number, startNumber));
  const cursors = encodeCursors(appSecret, identity, shown.length > 0 ? ofRows : [decoded ?? startOf(state)]);
  return {
    edges: shown.map(({ resource, id, operation, at }, index) => ({
      node: { resource, id, operation, at } as Change,
      cursor: cursors[index] as string,
    })),
    nextCursor: cursors.at(-1) as string,
    hasMore: rows.length > size,
    lastNumber: state.lastNumber,
  };
}

/** Identifies the feed of some resources in its cursors. @param included in the order of {@link CHANGE_RESOURCES}. */
export function feedOf(organizationId: string, included: readonly EntityName[]): ListIdentity {
  return { organizationId, list: 'changes', search: undefined, filterAndOrder: included.join() };
}

/** Returns the scopes of the lists of these resources. */
function scopesOf(included: readonly EntityName[]): Scope[] {
  return included.map((name) => ENTITIES[name].entity.scope);
}

/** Returns the scopes of the resources in an unvalidated list. */
function scopesOfResources(requested: unknown): NeededScope[] {
  const names = CHANGE_RESOURCES.filter((name) => Array.isArray(requested) && requested.includes(name));
  return scopesOf(names).map((scope) => ({ scope, field: 'resources' }));
}

/**
 * Returns the requested resources in the order of the registry, so that the order in a request does not invalidate a
 * cursor.
 */
function resourcesOf(context: Context, requested: readonly EntityName[] | null | undefined): readonly EntityName[] {
  const { scopes } = context.caller;
  const included = CHANGE_RESOURCES.filter((name) =>
    requested ? requested.includes(name) : scopes.has(ENTITIES[name].entity.scope),
  );
  // Also for resources that were not requested by name, so that the use of their scopes is counted.
  for (const name of included) requireScope(context, 'listChanges', [ENTITIES[name].entity.scope]);
  return included;
}
