import type { Administrator } from '../../domain/admin/administrator.ts';
import { DEVELOPER_ACTOR } from '../../domain/core/audit.ts';

/** Who did something, as people know them; ids and user names where they are not known any more. */
export function writtenActor(by: string | null, administrators: readonly Administrator[]): string {
  if (by === null) return '';
  if (!by.startsWith(DEVELOPER_ACTOR)) return by.replace(/^cli:(.+)$/, '$1, on the command line');
  const id = by.slice(DEVELOPER_ACTOR.length);
  const administrator = administrators.find((one) => one.id === id);
  return administrator ? (administrator.name ?? administrator.email) : id;
}
