import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { createApiKey } from '../../src/domain/admin/api-key.ts';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import type { Database } from '../../src/store/database.ts';
import { sql } from '../../src/store/sql.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { appOn, recordingLog } from '../support/apps.ts';
import { client } from '../support/client.ts';
import { times } from '../support/data.ts';
import { graphql } from '../support/graphql.ts';
import { expectRefusal } from '../support/requests/refusal.ts';

const LIMIT = 100;

/** Ends as after the timeout, but without its wait. */
const CANCELED = sql`SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(60)`;

describe.skipIf(!inject('databaseUrl'))('a read that PostgreSQL cancels, as after the statement timeout', () => {
  let store: Store;
  const { log, lines } = recordingLog();
  let app: App;
  let key: string;
  beforeAll(async () => {
    store = await openStore({ databaseUrl: inject('databaseUrl'), dataDirectory: '', timeouts: 'request' });
    app = appOn({ store }, { db: slow(store.db), limit: LIMIT, log });
    const { id } = await createOrganization(store, { name: 'Slow', country: 'US' }, 'test');
    const input = { organization_id: id, name: 'Test', scopes: ['events.view'], expires_in_days: null };
    ({ key } = await createApiKey(store, input, 'test'));
  });
  afterAll(() => store.close());

  /** A database in which reading events is canceled. */
  function slow(db: Database): Database {
    const read =
      (run: Database['rows']): Database['rows'] =>
      (statement) =>
        run(/FROM event e/.test(statement.text) ? CANCELED : statement);
    return {
      ...db,
      rows: read(db.rows),
      rowsUnprepared: read(db.rowsUnprepared),
      forRequest: (one) => slow(db.forRequest(one)),
    };
  }

  const remaining = (headers: Headers) => Number(headers.get('X-RateLimit-Remaining'));

  it.each(['/events', '/events?q=rain'])('is unavailable in REST, with the reason in the message: %s', async (path) => {
    const before = remaining((await client(app, key).get('/nothing')).headers);
    const answers = await Promise.all(times(3, () => client(app, key).get(path)));
    for (const answer of answers) {
      expectRefusal(answer, 503, 'unavailable');
      expect(answer.json.error.message).toBe('The read took too long; request fewer records or fields, or try again');
      expect(answer.headers.get('Retry-After')).toBe('1');
    }
    expect(answers.map(({ headers }) => remaining(headers)).sort()).toEqual([before - 3, before - 2, before - 1]);
  });

  it('is logged as a timeout, not as an unreachable store', async () => {
    lines.splice(0);
    await client(app, key).get('/events');
    const [line] = lines.filter(({ err }) => err !== undefined);
    expect(line).toMatchObject({ level: 30, code: 'unavailable', msg: 'a read took too long' });
    expect(lines.map(({ msg }) => msg)).not.toContain('store unavailable');
  });

  it('is query_too_complex in GraphQL, and sets its field to null', async () => {
    const before = remaining((await client(app, key).get('/nothing')).headers);
    const answer = await graphql(app, key)('{ __typename events { edges { cursor } } }');
    expect([answer.status, answer.json.data]).toEqual([200, { __typename: 'Query', events: null }]);
    expect(answer.json.errors).toMatchObject([
      {
        path: ['events'],
        extensions: { code: 'query_too_complex' },
        message: 'The read took too long; request fewer records or fields',
      },
    ]);
    expect(answer.json.extensions.rateLimit).toMatchObject({ limit: LIMIT, remaining: before - 1 });
    expect(remaining(answer.headers)).toBe(before - 1);
  });
});
