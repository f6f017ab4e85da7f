import pg from 'pg';
import { newId } from '../../../src/domain/values/ids.ts';
import { searchTextOf } from '../../../src/domain/values/search-text.ts';

/** A transaction on a separate connection. */
export interface OpenTransaction {
  readonly client: pg.Client;
  /** Ends it, and closes the connection. */
  end(statement: 'COMMIT' | 'ROLLBACK'): Promise<void>;
}

/** Starts transactions on a server; `close` rolls back those that are still running. */
export function openTransactions(databaseUrl: string) {
  const running = new Set<OpenTransaction>();
  return {
    async begin(): Promise<OpenTransaction> {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      await client.query('BEGIN');
      const transaction: OpenTransaction = {
        client,
        async end(statement) {
          running.delete(transaction);
          await client.query(statement);
          await client.end();
        },
      };
      running.add(transaction);
      return transaction;
    },
    async close(): Promise<void> {
      await Promise.all([...running].map((transaction) => transaction.end('ROLLBACK')));
    },
  };
}

/** Statements that add records to an organization; each returns the id. */
export function insertsInto(client: pg.Client, organizationId: string) {
  const insert = async (prefix: string, statement: string, values: readonly unknown[]) => {
    const id = newId(prefix);
    await client.query(statement, [organizationId, id, ...values]);
    return id;
  };
  return {
    member: (last: string) =>
      insert(
        'mem',
        `WITH p AS (INSERT INTO person (id) VALUES ($2)),
           e AS (INSERT INTO email_address (address, person_id) VALUES ($2 || '@example.org', $2)),
           o AS (INSERT INTO person_organization (person_id, slot, organization_id) VALUES ($2, 1, $1))
         INSERT INTO member (organization_id, id, first_name, last_name, email_address, search_text, search_phone)
         VALUES ($1, $2, 'Late', $3, $2 || '@example.org', $4, '')`,
        [last, searchTextOf('Late', last)],
      ),
    event: (day: string) =>
      insert(
        'evt',
        `INSERT INTO event (organization_id, id, title, dates, search_text)
         VALUES ($1, $2, 'Picnic', jsonb_build_array(jsonb_build_object('date', $3::text)), 'PICNIC')`,
        [day],
      ),
    service: (day: string) =>
      insert(
        'svc',
        `INSERT INTO service (organization_id, id, title, date, search_text) VALUES ($1, $2, 'Vespers', $3, 'VESPERS')`,
        [day],
      ),
    response: (form: number) =>
      insert('frs', `INSERT INTO form_response (organization_id, id, form_id, answers) VALUES ($1, $2, $3, '{}')`, [
        form,
      ]),
    tagOfMember: (tag: string, member: string) =>
      client.query('INSERT INTO member_tag (organization_id, member_id, tag_id) VALUES ($1, $2, $3)', [
        organizationId,
        member,
        tag,
      ]),
    memberOfDepartment: (department: string, member: string) =>
      client.query('INSERT INTO department_member (organization_id, department_id, member_id) VALUES ($1, $2, $3)', [
        organizationId,
        department,
        member,
      ]),
  };
}
