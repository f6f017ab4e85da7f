import pg from 'pg';

pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** The same number of connections as all other peers. */
export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, options: '-c TimeZone=UTC' });

/** The columns of a member, from {@link MEMBER}. */
export const MEMBER_COLUMNS = `
  m.id, m.first_name, m.last_name, m.email_address, m.phone_number, m.gender, m.marital_status, m.date_of_birth, m.address,
  m.city, m.state, m.zip_code, m.country, d.name AS designation, m.is_guest, m.created_at, m.updated_at, m.position`;

export const MEMBER = `
  member m LEFT JOIN designation d ON d.organization_id = m.organization_id AND d.id = m.designation_id`;
