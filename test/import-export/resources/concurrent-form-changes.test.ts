import type pg from 'pg';
import { expect, it } from 'vitest';
import { onOwnDatabase, type TestOrganization } from '../../support/service.ts';
import { eventually } from '../../support/time/eventually.ts';
import { importText, ndjson, reasons } from '../imports.ts';

onOwnDatabase((service) => {
  const importForm = ({ id }: TestOrganization, type: string) => {
    const fields = [{ external_id: 'age', question: 'Age', field_type: type }];
    return importText(service.store, id, 'forms.ndjson', ndjson({ external_id: '1', title: 'Visit', fields }));
  };

  /** Resolves when a transaction waits for a lock. */
  const lockIsAwaited = () =>
    eventually(async () => {
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      expect((await service.store.pool.query(waiting)).rows).not.toEqual([]);
    });

  /** A store that calls `work` before each statement that matches. */
  const storeCalling = (pattern: RegExp, work: () => Promise<unknown>) => {
    const connect = async () => {
      const client = await service.store.pool.connect();
      const query = async (statement: pg.QueryConfig) => {
        if (pattern.test(statement.text)) await work();
        return client.query(statement);
      };
      return new Proxy(client, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) });
    };
    return { prisma: service.store.prisma, pool: { connect } as unknown as pg.Pool };
  };

  it('stores no answer of the old type beside an import that changes the type of its field', async () => {
    const organization = await service.organization();
    await importForm(organization, 'number');
    let change: ReturnType<typeof importForm> | undefined;
    const store = storeCalling(/INSERT INTO form_response/, () => {
      change = importForm(organization, 'short_answer');
      return Promise.race([change, lockIsAwaited()]);
    });
    const response = ndjson({ external_id: 'r', form: '1', answers: { age: 7 } });
    expect((await importText(store, organization.id, 'form_responses.ndjson', response)).created).toBe(1);
    expect(reasons((await change) ?? { rejected_rows: [] })).toEqual([
      expect.stringContaining('cannot change from number to short_answer'),
    ]);
  });
});
