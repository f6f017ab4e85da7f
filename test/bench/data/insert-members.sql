-- Moves the drawn members into the service's tables. Their positions are without gaps, so that places in the list can be
-- drawn.
INSERT INTO person (id, created_at) SELECT id, at FROM bench.new_member;

INSERT INTO email_address (address, person_id) SELECT email, id FROM bench.new_member;

INSERT INTO person_organization (person_id, slot, organization_id) SELECT id, 1, :organization FROM bench.new_member;

INSERT INTO member (
  organization_id, id, position, first_name, last_name, email_address, phone_number, gender, marital_status, date_of_birth,
  address, city, state, zip_code, country, designation_id, is_guest, search_text, search_phone, created_at, updated_at)
SELECT :organization, id, n, first_name, last_name, email, '+1' || phone,
  bench.pick(n, 'gender', '{Male,Female,Female,Male,Others,NULL}'),
  bench.pick(n, 'marital', '{Married,Married,Single,Widowed,NULL}'),
  date '1930-01-01' + bench.draw(n, 'birth', 30000),
  address, city, CASE WHEN city IS NOT NULL THEN 'OH' END,
  CASE WHEN city IS NOT NULL THEN lpad(bench.draw(n, 'zip', 100000)::text, 5, '0') END,
  CASE WHEN city IS NOT NULL THEN 'United States' END,
  CASE WHEN bench.draw(n, 'designated', 10) < 3 THEN bench.pick(n, 'designation', designations) END,
  bench.draw(n, 'guest', 12) = 0,
  concat_ws(E'\x1f', search_name, upper(last_name), upper(email), upper(coalesce(address, '')),
    coalesce('+1' || phone, '')),
  coalesce('1' || phone || E'\x1f' || phone, ''), at, at
FROM bench.new_member,
  (SELECT array_agg(id ORDER BY position) AS designations FROM designation WHERE organization_id = :organization) AS own
ORDER BY n;

-- None to four tags each.
INSERT INTO member_tag (organization_id, member_id, tag_id, created_at, position)
SELECT DISTINCT :organization, new_member.id, tags[1 + bench.draw_skewed(n, 'tag' || turn, cardinality(tags))], at, n
FROM bench.new_member,
  (SELECT array_agg(id ORDER BY position) AS tags FROM tag WHERE organization_id = :organization) AS own,
  generate_series(1, 4) AS turn
WHERE turn <= bench.draw(n, 'tags', 5);

TRUNCATE bench.new_member;
