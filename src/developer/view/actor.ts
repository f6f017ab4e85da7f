import type { Administrator } from '../../domain/accounts/administrator.ts';
import { DEVELOPER_ACTOR } from '../../domain/core/audit.ts';

/** The name of an actor; an id or user name if the administrator no longer exists. */
export function formatActor(by: string | null, administrators: readonly Administrator[]): string {
  if (by === null) return '';
  if (!by.startsWith(DEVELOPER_ACTOR)) return by.replace(/^cli:(.+)$/, '$1, on the command line');
  const id = by.slice(DEVELOPER_ACTOR.length);
  const administrator = administrators.find((one) => one.id === id);
  return administrator ? (administrator.name ?? administrator.email) : id;
}
