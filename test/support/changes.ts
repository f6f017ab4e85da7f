import { expect } from 'vitest';
import type { TestOrganization } from './service.ts';

/** A change as returned by REST. */
export interface ShownChange {
  readonly resource: string;
  readonly id: string;
  readonly operation: string;
  readonly at: string;
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
