import pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { graphql } from '../../support/graphql.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { eventually } from '../../support/time/eventually.ts';

const SUBMIT = `mutation ($form: Int!) {
  submitFormResponse(input: { formId: $form, answers: [] }) { formResponse { id } }
}`;

describe.skipIf(!inject('databaseUrl'))('a form that is closed during a submission', () => {
  onOneStore((service) => {
    const clients: pg.Client[] = [];
    const connect = async () => {
      const client = new pg.Client({ connectionString: inject('databaseUrl') });
      await client.connect();
      clients.push(client);
      return client;
    };
    afterAll(() => Promise.all(clients.map((client) => client.end())));

    const pidOf = async (client: pg.Client): Promise<number> =>
      (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid;
    /** Resolves when a statement waits for a lock held by `pid`. */
    const blockedBy = (pid: number) =>
      eventually(async () => {
        const { rows } = await service.store.pool.query(
          'SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))',
          [pid],
        );
        expect(rows).toHaveLength(1);
      });

    async function openForm() {
      const organization = await service.organization();
      const form = await recordsOf(service, organization.id).form({ isPublished: true, acceptingResponse: true });
      const responses = async () => (await organization.get(`/forms/${form.id}/responses`)).json.data.length as number;
      return { organization, id: form.id, responses };
    }

    /** Submits a response; returns the error code, undefined if it was accepted. */
    const submissions = {
      REST: async (organization: TestOrganization, id: number): Promise<string | undefined> =>
        (await organization.post(`/forms/${id}/responses`, { answers: {} })).json.error?.code,
      GraphQL: async (organization: TestOrganization, id: number): Promise<string | undefined> =>
        (await graphql(service.app, organization.key)(SUBMIT, { form: id })).json.errors?.[0].extensions.code,
    };

    describe.each(['REST', 'GraphQL'] as const)('in the %s API', (api) => {
      it.each([
        ['is_published', 'COMMIT', 'form_closed', 0],
        ['accepting_response', 'COMMIT', 'form_closed', 0],
        ['accepting_response', 'ROLLBACK', undefined, 1],
      ])('rejects a response if %s becomes false first: after %s %s', async (column, end, code, stored) => {
        const { organization, id, responses } = await openForm();
        const closing = await connect();
        await closing.query('BEGIN');
        await closing.query(`UPDATE form SET ${column} = false WHERE organization_id = $1 AND id = $2`, [
          organization.id,
          id,
        ]);
        const submission = submissions[api](organization, id);
        await blockedBy(await pidOf(closing));
        await closing.query(end);
        expect([await submission, await responses()]).toEqual([code, stored]);
      });
    });
  });
});
