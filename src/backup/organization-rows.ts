import pg from 'pg';
import type { TransactionQuery } from '../store/connections/transaction.ts';
import { CopyError } from './dump.ts';
import type { Column, Table } from './tables.ts';

/** The highest slot that a constraint of `person_organization` allows. */
const MAX_ORGANIZATIONS_PER_PERSON = 3;

/**
 * Tables whose rows of an organization can differ from those of its backup: persons that the database knows already, their
 * free slots, and audit entries, which get new numbers.
 */
export const TABLES_WITH_OTHER_ROWS: readonly string[] = ['person', 'person_organization', 'audit_entry'];

/** @throws {CopyError} when the database has the organization. */
export async function assertNoOrganization(query: TransactionQuery, id: string): Promise<void> {
  await query('LOCK TABLE organization IN SHARE ROW EXCLUSIVE MODE');
  const [row] = await query('SELECT FROM organization WHERE id = $1', [id]);
  if (row) throw new CopyError(`the target already has the organization ${id}`);
}

/**
 * Returns the statement that inserts rows `$1` of an organization into a table that also has rows of others.
 *
 * @param values the columns of the rows `r` as SQL.
 * @returns undefined if the rows are inserted as into an empty database.
 */
export function insertIntoShared(
  table: Table,
  columns: readonly Column[],
  values: readonly string[],
): string | undefined {
  const rows = `SELECT ${columns.map(({ name }, n) => `${values[n]} AS ${pg.escapeIdentifier(name)}`).join(', ')}
    FROM json_array_elements($1::json) AS r (value)`;
  if (table === 'person' || table === 'email_address') {
    const names = columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ');
    return `INSERT INTO ${table} (${names}) ${rows} ON CONFLICT DO NOTHING`;
  }
  if (table === 'person_organization') {
    return `INSERT INTO person_organization (person_id, slot, organization_id)
      SELECT row.person_id, free_slot.slot, row.organization_id FROM (${rows}) row CROSS JOIN LATERAL (
        SELECT min(free) AS slot FROM generate_series(1, ${MAX_ORGANIZATIONS_PER_PERSON}) free
        WHERE free NOT IN (SELECT p.slot FROM person_organization p WHERE p.person_id = row.person_id)
      ) free_slot WHERE free_slot.slot IS NOT NULL`;
  }
  if (table === 'audit_entry') {
    const names = columns.flatMap(({ name }) => (name === 'id' ? [] : pg.escapeIdentifier(name))).join(', ');
    // If the organization was here before, its entries of that time still are.
    return `INSERT INTO audit_entry (${names}) SELECT ${names} FROM (${rows}) row WHERE NOT EXISTS (
      SELECT FROM audit_entry a WHERE a.organization_id = row.organization_id AND a.operation = row.operation
        AND a.at = row.at AND a.record_id IS NOT DISTINCT FROM row.record_id
        AND a.request_id IS NOT DISTINCT FROM row.request_id
    ) ORDER BY row.id`;
  }
  return undefined;
}

/** How many addresses an error names. */
const SHOWN_ADDRESSES = 10;

/** Collects what prevents that the persons of a backup are those of the database. */
export class PersonConflicts {
  private readonly addresses: string[] = [];
  private fullPersons = 0;

  constructor(private readonly query: TransactionQuery) {}

  /** Checks inserted rows. @param json the rows. */
  async check(table: Table, columns: readonly Column[], json: string): Promise<void> {
    const column = (wanted: string) => `(r.value ->> ${columns.findIndex(({ name }) => name === wanted)})`;
    const rows = 'json_array_elements($1::json) AS r (value)';
    if (table === 'email_address') {
      const others = await this.query<{ address: string }>(
        `SELECT e.address FROM ${rows} JOIN email_address e ON e.address = ${column('address')}
         WHERE e.person_id <> ${column('person_id')}`,
        [json],
      );
      this.addresses.push(...others.map(({ address }) => address));
    }
    if (table === 'person_organization') {
      const without = await this.query(
        `SELECT FROM ${rows} WHERE NOT EXISTS (SELECT FROM person_organization p
         WHERE p.person_id = ${column('person_id')} AND p.organization_id = ${column('organization_id')})`,
        [json],
      );
      this.fullPersons += without.length;
    }
  }

  /** Called after each table. @throws {CopyError} when there are any. */
  assertNone(): void {
    const { addresses, fullPersons } = this;
    if (addresses.length > 0) {
      const shown = addresses.slice(0, SHOWN_ADDRESSES).join(', ');
      throw new CopyError(
        `the target has other persons with ${addresses.length} of the email addresses (${shown}${addresses.length > SHOWN_ADDRESSES ? ', …' : ''}); nothing was changed`,
      );
    }
    if (fullPersons > 0) {
      throw new CopyError(
        `${fullPersons} persons are already in ${MAX_ORGANIZATIONS_PER_PERSON} organizations of the target; nothing was changed`,
      );
    }
  }
}
