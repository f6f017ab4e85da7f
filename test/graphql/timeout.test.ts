import { afterEach, expect, it, vi } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import { appOn } from '../support/apps.ts';
import { graphql } from '../support/graphql.ts';
import { onOneStore } from '../support/service.ts';

onOneStore((service) => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('ends an operation that takes longer than 10 s with unavailable, and says when to try again', async () => {
    const { key } = await service.organization();
    const { db } = service.store;
    let stuck = (): void => {};
    const reached = new Promise<void>((resolve) => {
      stuck = resolve;
    });
    const rows: Database['rows'] = (statement) => {
      if (!/FROM event e/.test(statement.text)) return db.rows(statement);
      stuck();
      return new Promise(() => {});
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = graphql(appOn(service, { db: { ...db, rows } }), key)('{ events { edges { cursor } } }');
    await reached;
    vi.advanceTimersByTime(10_000);
    const answer = await asked;
    expect([answer.status, answer.json.errors[0].extensions.code]).toEqual([503, 'unavailable']);
    expect(answer.headers.get('Retry-After')).toBe('1');
    expect(answer.json.extensions.rateLimit.cost).toBe(1);
  });
});
