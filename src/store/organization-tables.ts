import pg from 'pg';
import type { TransactionQuery } from './connections/transaction.ts';

/** A table whose rows each belong to one organization. */
export interface OrganizationTable {
  readonly name: string;
  /** The SQL condition on the rows of the organization. */
  readonly condition: string;
}

interface ForeignKey {
  readonly table: string;
  readonly columns: readonly string[];
  readonly referenced: string;
  readonly referenced_columns: readonly string[];
}

/**
 * Finds the tables of organizations in the catalog, so that none can be forgotten: `organization`, the tables with an
 * `organization_id`, and those that refer to one of these. Persons and their email addresses belong to no organization.
 *
 * @returns the tables, each after those that it refers to.
 */
export async function organizationTables(
  query: TransactionQuery,
  organizationId: string,
): Promise<OrganizationTable[]> {
  const id = pg.escapeLiteral(organizationId);
  const named = await query<{ name: string }>(`
    SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id'
    WHERE c.relnamespace = ANY (current_schemas(false)::regnamespace[]) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    ORDER BY c.relname`);
  const conditions = new Map([['organization', `id = ${id}`]]);
  for (const { name } of named) conditions.set(name, `organization_id = ${id}`);
  const foreignKeys = await foreignKeysOf(query);
  for (let found = -1; found !== conditions.size; ) {
    found = conditions.size;
    for (const { table, columns, referenced, referenced_columns } of foreignKeys) {
      const condition = conditions.get(referenced);
      if (conditions.has(table) || condition === undefined) continue;
      const list = (names: readonly string[]) => names.map((name) => pg.escapeIdentifier(name)).join(', ');
      const rows = `SELECT ${list(referenced_columns)} FROM ${pg.escapeIdentifier(referenced)} WHERE ${condition}`;
      conditions.set(table, `(${list(columns)}) IN (${rows})`);
    }
  }
  return inOrderOfReferences([...conditions.keys()], foreignKeys).map((name) => ({
    name,
    condition: conditions.get(name) as string,
  }));
}

function foreignKeysOf(query: TransactionQuery): Promise<ForeignKey[]> {
  const columns = (relation: string, numbers: string) =>
    `ARRAY(SELECT a.attname::text FROM unnest(${numbers}) WITH ORDINALITY AS key (number, n)
       JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = key.number ORDER BY key.n)`;
  return query<ForeignKey>(`
    SELECT t.relname AS table, ${columns('f.conrelid', 'f.conkey')} AS columns,
      r.relname AS referenced, ${columns('f.confrelid', 'f.confkey')} AS referenced_columns
    FROM pg_constraint f JOIN pg_class t ON t.oid = f.conrelid JOIN pg_class r ON r.oid = f.confrelid
    WHERE f.contype = 'f' AND f.conparentid = 0 AND f.conrelid <> f.confrelid
      AND f.connamespace = ANY (current_schemas(false)::regnamespace[])
    ORDER BY f.conname`);
}

function inOrderOfReferences(names: readonly string[], foreignKeys: readonly ForeignKey[]): string[] {
  const ordered = new Set<string>();
  const add = (name: string) => {
    for (const { table, referenced } of foreignKeys)
      if (table === name && names.includes(referenced) && !ordered.has(referenced)) add(referenced);
    ordered.add(name);
  };
  for (const name of names) add(name);
  return [...ordered];
}
