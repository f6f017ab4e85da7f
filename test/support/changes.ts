import { expect } from 'vitest';
import { sql } from '../../src/store/sql.ts';
import type { TestOrganization, TestService } from './service.ts';
import { eventually } from './time/eventually.ts';

/** A change as returned by REST. */
export interface ShownChange {
  readonly resource: string;
  readonly id: string;
  readonly operation: string;
  readonly at: string;
}

/**
 * Resolves when the change feed includes everything committed so far: transactions of other tests on the same server
 * delay it.
 */
export async function changesShown({ store: { db } }: Pick<TestService, 'store'>): Promise<void> {
  const [last] = await db.write<{ id: string }>(sql`SELECT pg_current_xact_id()::text AS id`);
  await eventually(async () => {
    const [row] = await db.rows<{ shown: boolean }>(
      sql`SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint > ${last?.id}::bigint AS shown`,
    );
    expect(row?.shown).toBe(true);
  });
}

/** Reads the feed to its end. */
export async function changesAfter(
  organization: Pick<TestOrganization, 'get'>,
  cursor: string | undefined,
  parameters: Record<string, string> = {},
): Promise<{ readonly changes: readonly ShownChange[]; readonly cursor: string }> {
  const changes: ShownChange[] = [];
  for (let next = cursor; ; ) {
    const query = new URLSearchParams({ limit: '100', ...parameters, ...(next !== undefined && { cursor: next }) });
    const { status, json } = await organization.get(`/changes?${query}`);
    expect(status).toBe(200);
    changes.push(...json.data);
    next = json.pagination.next_cursor as string;
    if (!json.pagination.has_more) return { changes, cursor: next };
  }
}
