-- What PostGraphile sees: views with the keys that it cannot find in them, and functions for what is more than a table.
DROP SCHEMA IF EXISTS graph CASCADE;
CREATE SCHEMA graph;

CREATE VIEW graph.designation AS SELECT id, name FROM bench.designation;
COMMENT ON VIEW graph.designation IS '@primaryKey id';

CREATE VIEW graph.member AS SELECT * FROM bench.member;
COMMENT ON VIEW graph.member IS E'@primaryKey id\n@foreignKey (designation_id) references graph.designation (id)';

CREATE VIEW graph.assigned_tag AS
  SELECT mt.member_id, t.id, t.name, t.color, t.position FROM bench.member_tag mt JOIN bench.tag t ON t.id = mt.tag_id
  WHERE t.source = 'admin' AND t.privacy = 'public';
COMMENT ON VIEW graph.assigned_tag IS E'@primaryKey member_id,id\n@foreignKey (member_id) references graph.member (id)';

CREATE VIEW graph.department AS SELECT id, name, position FROM bench.department;
COMMENT ON VIEW graph.department IS '@primaryKey id';

CREATE VIEW graph.department_member AS SELECT department_id, member_id, position FROM bench.department_member;
COMMENT ON VIEW graph.department_member IS E'@primaryKey department_id,member_id\n@foreignKey (department_id) references graph.department (id)\n@foreignKey (member_id) references graph.member (id)';

CREATE FUNCTION graph.search_members(search text) RETURNS SETOF graph.member LANGUAGE sql STABLE AS $$
  SELECT * FROM graph.member m WHERE m.search_text LIKE '%' || upper(search) || '%' ORDER BY m.position
$$;

CREATE FUNCTION graph.add_member(new_member json) RETURNS graph.member LANGUAGE sql VOLATILE AS $$
  WITH input AS (
    SELECT 'mem_' || md5(random()::text || clock_timestamp()) AS id, organization_id, body.*
    FROM bench.progress, json_to_record(new_member) AS body (
      first_name text, last_name text, email_address text, phone_number text, gender text, date_of_birth date,
      address text, city text, state text, zip_code text, country text)
  ), new_person AS (
    INSERT INTO public.person (id) SELECT id FROM input
  ), new_address AS (
    INSERT INTO public.email_address (address, person_id) SELECT email_address, id FROM input
  ), place AS (
    INSERT INTO public.person_organization (person_id, slot, organization_id) SELECT id, 1, organization_id FROM input
  ), m AS (
    INSERT INTO public.member (
      organization_id, id, first_name, last_name, email_address, phone_number, gender, date_of_birth, address, city,
      state, zip_code, country, search_text, search_phone)
    SELECT organization_id, id, first_name, last_name, email_address, phone_number, gender, date_of_birth, address, city,
      state, zip_code, country,
      upper(concat_ws(E'\x1f', first_name, last_name, email_address, address, phone_number)), substr(phone_number, 2)
    FROM input
    RETURNING *
  )
  SELECT m.* FROM m
$$;
