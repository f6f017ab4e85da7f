import { setTimeout as sleep } from 'node:timers/promises';
import { streamOf } from './streams.ts';

/** Sends a request with the key of the follower. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** A client that keeps a copy of the records. */
export interface Follower {
  /** The records by resource and id. */
  readonly copy: Map<string, unknown>;
  /** What it received and should not have. */
  readonly faults: string[];
  /** Ends the client. */
  stop(): Promise<void>;
}

interface Change {
  readonly resource: string;
  readonly id: string;
  readonly operation: string;
  readonly record: unknown;
}

const PAUSE_MS = 50;

/** Runs a client until it is stopped; `step` is repeated after errors, such as those of an instance that was killed. */
function follow(
  step: (apply: (change: Change) => void, isStopped: () => boolean, faults: string[]) => Promise<void>,
): Follower {
  const copy = new Map<string, unknown>();
  const faults: string[] = [];
  let stopped = false;
  const apply = ({ resource, id, operation, record }: Change) => {
    if (operation === 'removed' || record === null) copy.delete(`${resource} ${id}`);
    else copy.set(`${resource} ${id}`, record);
  };
  const running = (async () => {
    while (!stopped) {
      await step(apply, () => stopped, faults).catch(() => sleep(PAUSE_MS));
    }
  })();
  return {
    copy,
    faults,
    stop: () => {
      stopped = true;
      return running;
    },
  };
}

/** The fields of a change that followers read. @param record the selection of the record. */
const fieldsOf = (record: string) => `cursor resource id operation record { ${record} }`;

/**
 * Follows a stream. It closes the stream after a number of events, and continues with `Last-Event-ID`.
 *
 * @param record the selection of records, with the fragments that it uses.
 */
export function streamingFollower(send: Send, record: string, fragments: string, eventsPerStream: number): Follower {
  const query = `subscription { changes { ${fieldsOf(record)} } } ${fragments}`;
  let cursor = '';
  return follow(async (apply, isStopped, faults) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'text/event-stream', 'Last-Event-ID': cursor };
    const response = await send('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
    if (response.status !== 200) throw new Error(await response.text());
    const stream = streamOf(response);
    const seen = new Set<string>();
    const timer = setInterval(() => isStopped() && stream.close(), PAUSE_MS);
    try {
      for (let count = 0; count < eventsPerStream; count++) {
        const event = await stream.next();
        if (!event?.id) break;
        const { data, errors } = event.data;
        if (errors) faults.push(JSON.stringify(errors));
        if (seen.has(event.id)) faults.push(`twice: ${event.id}`);
        seen.add(event.id);
        apply(data.changes);
        cursor = event.id;
      }
    } finally {
      clearInterval(timer);
      await stream.close();
    }
  });
}

/** Waits for changes with REST, and reads them with their records. */
export function waitingFollower(send: Send, record: string, fragments: string): Follower {
  const query = `query ($after: String) {
    changes(first: 100, after: $after) { nodes { ${fieldsOf(record)} } pageInfo { endCursor } } } ${fragments}`;
  let cursor: string | undefined;
  return follow(async (apply, _isStopped, faults) => {
    const parameters = new URLSearchParams({ limit: '1', wait: '1', ...(cursor === undefined ? {} : { cursor }) });
    const waited = await send(`/v1/changes?${parameters}`);
    const news = (await waited.json()) as { data: readonly unknown[] };
    if (waited.status !== 200) throw new Error(`status ${waited.status}`);
    if (news.data.length === 0) return;
    const response = await send('/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables: { after: cursor } }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the shape of the query above
    const { data, errors } = (await response.json()) as any;
    if (errors) throw new Error(errors[0].message);
    const ids = data.changes.nodes.map(({ cursor: one }: { cursor: string }) => one);
    if (new Set(ids).size < ids.length) faults.push('twice on a page');
    for (const change of data.changes.nodes) apply(change);
    cursor = data.changes.pageInfo.endCursor;
    // Leaves the service time for writes.
    await sleep(PAUSE_MS);
  });
}
