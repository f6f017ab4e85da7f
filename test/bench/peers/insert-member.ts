import { randomBytes } from 'node:crypto';
import type { NewMember } from '../workloads.ts';
import { pool } from './pool.ts';

/** Inserts a new member of an organization with its person in one transaction; returns the row from `pg`. */
export async function insertMember(organization: unknown, body: NewMember): Promise<Record<string, unknown>> {
  const id = `mem_${Date.now().toString(36)}${randomBytes(9).toString('hex')}`;
  const { first_name, last_name, email_address, address, phone_number } = body;
  const searchText = [first_name, last_name, email_address, address, phone_number].join('\u001f').toUpperCase();
  const member = {
    organization_id: organization,
    id,
    ...body,
    search_text: searchText,
    search_phone: phone_number.slice(1),
  };
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('INSERT INTO person (id) VALUES ($1)', [id]);
    await client.query('INSERT INTO email_address (address, person_id) VALUES ($1, $2)', [email_address, id]);
    await client.query('INSERT INTO person_organization (person_id, slot, organization_id) VALUES ($1, 1, $2)', [
      id,
      organization,
    ]);
    const { rows } = await client.query(
      `INSERT INTO member (${Object.keys(member)}) VALUES (${Object.keys(member).map((_, n) => `$${n + 1}`)})
       RETURNING *, NULL AS designation`,
      Object.values(member),
    );
    await client.query('COMMIT');
    return rows[0];
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
