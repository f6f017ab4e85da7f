import type { Designation } from '../domain/designation.ts';

/** A designation, field by field. */
export function presentDesignation(designation: Designation): object {
  return { id: designation.id, name: designation.name };
}
