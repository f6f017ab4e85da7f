import type pg from 'pg';
import type { Statement } from '../../../src/store/sql.ts';

/** A node of an executed query plan, under the names of PostgreSQL. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Returns the nodes of a statement's plan, executed with the given plan types disabled. */
export async function planOf(
  pool: pg.Pool,
  { text, values }: Statement,
  ...disabled: readonly string[]
): Promise<PlanNode[]> {
  const client = await pool.connect();
  for (const name of disabled) await client.query(`SET ${name} = off`);
  const { rows } = await client.query({ text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values: [...values] });
  client.release(true);
  return nodesOf(rows[0]['QUERY PLAN'][0].Plan);
}

/** Returns how many rows of a table a plan reads, including those that do not match. */
export function rowsReadOf(nodes: readonly PlanNode[], table: string): number {
  return nodes
    .filter((node) => node['Relation Name'] === table)
    .reduce((sum, node) => {
      const ofLoop = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
      return sum + ofLoop * node['Actual Loops'];
    }, 0);
}

/** Returns a node of a plan and all nodes below it. */
function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
