import { expect, it } from 'vitest';
import type { Context } from '../../../src/domain/core/context.ts';
import { yieldToEventLoop } from '../../../src/http/request/event-loop.ts';
import { Abort } from '../../../src/store/connections/abort.ts';
import { times } from '../../support/data.ts';

const LONG = 3_000;

/** The context of a request of an organization. */
const requestOf = (id: string, abort?: Abort) => ({
  get: () => ({ caller: { organization: { id } }, abort }) as unknown as Context,
});

it('at most 120 long requests of an organization wait; further ones are unavailable', async () => {
  const results = await Promise.allSettled(times(130, () => yieldToEventLoop(requestOf('org_many'), LONG)));
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(9);
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } });
});

it('a request that is aborted while it waits ends with the reason', async () => {
  const [abort, reason] = [new Abort(), new Error('the client disconnected')];
  await yieldToEventLoop(requestOf('org_aborted'), LONG);
  const waiting = yieldToEventLoop(requestOf('org_aborted', abort), LONG);
  abort.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});
