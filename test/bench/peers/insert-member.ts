import { randomBytes } from 'node:crypto';
import type { NewMember } from '../works.ts';
import { pool } from './pool.ts';

/** Inserts a new member of an organization with its person in one transaction; returns the row from `pg`. */
export async function insertMember(organization: unknown, body: NewMember): Promise<Record<string, unknown>> {
  const id = `mem_${Date.now().toString(36)}${randomBytes(9).toString('hex')}`;
  const { first_name, last_name, email_address, address, phone_number } = body;
  const searchText = [first_name, last_name, email_address, address, phone_number].join('\u001f').toUpperCase();
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('INSERT INTO person (id) VALUES ($1)', [id]);
    await client.query('INSERT INTO email_address (address, person_id) VALUES ($1, $2)', [body.email_address, id]);
    await client.query('INSERT INTO person_organization (person_id, slot, organization_id) VALUES ($1, 1, $2)', [
      id,
      organization,
    ]);
    const { rows } = await client.query(
      `INSERT INTO member (organization_id, id, first_name, last_name, email_address, phone_number, gender,
         date_of_birth, address, city, state, zip_code, country, search_text, search_phone)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
       RETURNING *, NULL AS designation`,
      [
        organization,
        id,
        body.first_name,
        body.last_name,
        body.email_address,
        body.phone_number,
        body.gender,
        body.date_of_birth,
        body.address,
        body.city,
        body.state,
        body.zip_code,
        body.country,
        searchText,
        phone_number.slice(1),
      ],
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
