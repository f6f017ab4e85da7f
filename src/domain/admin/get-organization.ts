import { z } from 'zod';
import { sql } from '../../store/sql.ts';
import { defineOperation } from '../core/operation.ts';

/** An organization as its API keys see it. */
export interface OwnOrganization {
  readonly id: string;
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** An IANA name such as `America/New_York`. */
  readonly time_zone: string;
}

/** `GET /organization`: the organization of the key. Needs no scope. */
export const getOrganization = defineOperation({
  name: 'getOrganization',
  scope: [],
  input: z.strictObject({}),
  run: async ({ db, caller }): Promise<OwnOrganization> => {
    const [organization] = await db.rows<OwnOrganization>(sql`
      SELECT id, name, country, time_zone FROM organization WHERE id = ${caller.organization.id}`);
    return organization as OwnOrganization;
  },
});
