import { expect, it } from 'vitest';
import { appOn, faulty, recordingLog } from '../../../support/apps.ts';
import { codesIn, graphql } from '../../../support/graphql.ts';
import { onOneStore } from '../../../support/service.ts';
import { expectRejected } from '../rejection.ts';

onOneStore((service) => {
  it('hides the cause of an internal error in a resolver, and logs it with the request id', async () => {
    const { key } = await service.organization();
    const { log, lines } = recordingLog();
    const cause = new TypeError('secret of /home/me: SELECT * FROM event');
    const db = faulty(service.store.db, (text) => (text.includes('FROM event') ? cause : undefined));
    const answer = await graphql(appOn(service, { db, log }), key)(
      '{ viewer { keyName } events { edges { cursor } } }',
      {},
      { 'X-Request-Id': 'trace-me' },
    );
    expect(answer.status).toBe(200);
    expect(answer.json.data).toEqual({ viewer: { keyName: 'Test' }, events: null });
    expect(answer.json.errors).toEqual([
      {
        message: expect.stringMatching(/./),
        locations: [{ line: 1, column: 22 }],
        path: ['events'],
        extensions: { code: 'internal_error' },
      },
    ]);
    expect(answer.text).not.toMatch(/secret|SELECT|TypeError|stack|node_modules/);
    expect(lines).toContainEqual(
      expect.objectContaining({ requestId: 'trace-me', err: expect.objectContaining({ message: cause.message }) }),
    );
    expect(JSON.stringify(lines)).not.toContain(key);
  });

  it('returns unavailable if the connection fails: for a field, or before execution for the request', async () => {
    const { key } = await service.organization();
    const connectionError = new Error('Connection terminated unexpectedly');
    const askFailing = (table: string) =>
      graphql(
        appOn(service, {
          db: faulty(service.store.db, (text) => (text.includes(table) ? connectionError : undefined)),
        }),
        key,
      );
    const partial = await askFailing('FROM event')('{ viewer { keyName } events { edges { cursor } } }');
    expect([partial.status, partial.json.data, codesIn(partial)]).toEqual([
      200,
      { viewer: { keyName: 'Test' }, events: null },
      ['unavailable'],
    ]);
    const rejected = await askFailing('FROM api_key')('{ viewer { keyName } }');
    expectRejected(rejected, 503, 'unavailable');
    expect(rejected.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(rejected.text + partial.text).not.toContain('terminated');
  });
});
