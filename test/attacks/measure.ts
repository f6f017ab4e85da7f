import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { MeasuredRequests, Measurement } from './measuring-child.ts';

/** The time for the measuring process to receive its last response. */
const MAX_WAIT_MS = 10_000;

/** Starts a process that measures response times; end it with `kill`. */
export function startMeasuring(): ChildProcess {
  return fork(new URL('measuring-child.ts', import.meta.url).pathname);
}

/** Sends requests at a fixed rate from the measuring process. */
export async function measureWith(child: ChildProcess, requests: MeasuredRequests): Promise<Measurement> {
  child.send(requests);
  const signal = AbortSignal.timeout(requests.count * requests.everyMs + MAX_WAIT_MS);
  const [measurement] = (await once(child, 'message', { signal })) as [Measurement];
  return measurement;
}

/** A page of members, as an ordinary client requests it. */
export function listWith(key: string): MeasuredRequests['requests'][number] {
  return { name: 'a list', path: '/v1/members?limit=25', headers: [['X-Api-Key', key]] };
}
