const MEMBER = `
  m.id, m.first_name, m.last_name, m.email_address, m.phone_number, m.gender, m.marital_status, m.date_of_birth,
  m.address, m.city, m.state, m.zip_code, m.country,
  (SELECT d.name FROM designation d WHERE d.organization_id = m.organization_id AND d.id = m.designation_id) AS designation,
  m.is_guest, m.created_at, m.updated_at`;

/**
 * $2: the position to continue after; $3: the limit. Concatenating text costs PostgreSQL less than json_build_object.
 */
const page = (condition: string) => `
  SELECT '{"data":[' || coalesce(string_agg(row, ','), '') || '],"next_cursor":'
    || CASE WHEN count(*) = $3::int THEN max(position)::text ELSE 'null' END || '}' AS body
  FROM (
    SELECT m.position, (SELECT row_to_json(fields) FROM (SELECT ${MEMBER}) AS fields)::text AS row
    FROM member m WHERE m.organization_id = $1 AND m.position > $2 ${condition} ORDER BY m.position LIMIT $3::int
  ) AS page`;

/** $2: the member's id. */
const get = `
  SELECT '{"data":' || row_to_json(fields) || '}' AS body
  FROM (SELECT ${MEMBER} FROM member m WHERE m.organization_id = $1 AND m.id = $2) AS fields`;

/** 20 departments after the position $2, ten members of each, and their tags. */
const departments = `
  SELECT '{"data":' || coalesce(json_agg(row_to_json(department)), '[]') || '}' AS body
  FROM (
    SELECT dep.id, dep.name, (
      SELECT coalesce(json_agg(row_to_json(member)), '[]') FROM (
        SELECT m.id, m.first_name, m.last_name, m.email_address, (
          SELECT coalesce(json_agg(row_to_json(tag)), '[]') FROM (
            SELECT t.id, t.name, t.color
            FROM member_tag mt JOIN tag t ON t.organization_id = mt.organization_id AND t.id = mt.tag_id
            WHERE mt.organization_id = m.organization_id AND mt.member_id = m.id
              AND t.source = 'admin' AND t.privacy = 'public'
            ORDER BY t.position
          ) AS tag
        ) AS tags
        FROM department_member dm JOIN member m ON m.organization_id = dm.organization_id AND m.id = dm.member_id
        WHERE dm.organization_id = dep.organization_id AND dm.department_id = dep.id
        ORDER BY dm.position LIMIT 10
      ) AS member
    ) AS members
    FROM department dep WHERE dep.organization_id = $1 AND dep.position > $2 ORDER BY dep.position LIMIT 20
  ) AS department`;

/** $2: the request body; $3: the new member's id. */
const create = `
  WITH input AS (
    SELECT * FROM json_to_record($2::json) AS body (
      first_name text, last_name text, email_address text, phone_number text, gender text, date_of_birth date,
      address text, city text, state text, zip_code text, country text)
  ), new_person AS (
    INSERT INTO person (id) VALUES ($3)
  ), new_address AS (
    INSERT INTO email_address (address, person_id) SELECT email_address, $3 FROM input
  ), place AS (
    INSERT INTO person_organization (person_id, slot, organization_id) VALUES ($3, 1, $1)
  ), m AS (
    INSERT INTO member (
      organization_id, id, first_name, last_name, email_address, phone_number, gender, date_of_birth, address, city,
      state, zip_code, country, search_text, search_phone)
    SELECT $1, $3, first_name, last_name, email_address, phone_number, gender, date_of_birth, address, city,
      state, zip_code, country,
      upper(concat_ws(E'\\x1f', first_name, last_name, email_address, address, phone_number)), substr(phone_number, 2)
    FROM input
    RETURNING *
  )
  SELECT '{"data":' || row_to_json(fields) || '}' AS body FROM (SELECT ${MEMBER} FROM m) AS fields`;

/** The hand-written statements: each returns the body as one text. $1 is always the organization. */
export const STATEMENTS = {
  list: page(''),
  /** $4: a LIKE pattern in upper case. */
  search: page('AND m.search_text LIKE $4'),
  get,
  departments,
  create,
};
