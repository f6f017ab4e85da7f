import { sql } from '../../store/sql.ts';
import type { Batch } from '../records/batch.ts';
import type { Change } from '../records/resource-definition.ts';

/** Locks the addresses of members before and after an undo, in order, so that concurrent writes cannot deadlock. */
export async function lockAddresses({ query }: Batch, changes: readonly Change[]): Promise<void> {
  const addresses = changes.flatMap(({ before, current }) => [
    before?.email_address ?? [],
    current?.email_address ?? [],
  ]);
  await query(sql`
    SELECT FROM email_address WHERE address = ANY(${addresses.flat()}::text[]) ORDER BY address COLLATE "C" FOR UPDATE`);
}

/** Deletes members, and persons and addresses that no organization uses anymore. Lock the addresses first. */
export async function removeMembers({ query, organization }: Batch, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const ofMembers = sql`organization_id = ${organization.id} AND id = ANY(${[...ids]}::text[])`;
  const deleted = await query<{ email_address: string }>(sql`
    DELETE FROM member WHERE ${ofMembers} RETURNING email_address`);
  await query(sql`
    DELETE FROM person_organization
    WHERE organization_id = ${organization.id} AND person_id = ANY(${[...ids]}::text[])`);
  await query(sql`
    DELETE FROM email_address e WHERE e.address = ANY(${deleted.map(({ email_address }) => email_address)}::text[])
      AND NOT EXISTS (SELECT FROM member m WHERE m.email_address = e.address)`);
  await query(sql`
    DELETE FROM person p WHERE p.id = ANY(${[...ids]}::text[])
      AND NOT EXISTS (SELECT FROM person_organization o WHERE o.person_id = p.id)`);
}
