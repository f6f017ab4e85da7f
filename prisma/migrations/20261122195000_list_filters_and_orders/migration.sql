-- What lists are sorted by. The functions are part of indexes: a change needs a new name.
CREATE FUNCTION "member_sort_name"(search_text TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  -- The last name and the first name from the search text, in upper case, without combining marks.
  SELECT regexp_replace(
    normalize(
      left(split_part(search_text, chr(31), 2), 100) || chr(31) || left(split_part(search_text, chr(31), 1), 100), NFD),
    '[\u0300-\u036F]', '', 'g')
$$;

CREATE FUNCTION "event_start"(dates JSONB, start_time TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(
    min((day->>'date' || ' ' || coalesce(day->>'start_time', start_time, '')) COLLATE "C"), '9999-12-31~')
  FROM jsonb_array_elements(dates) day
$$;

CREATE INDEX "member_name_idx"
  ON "member"("organization_id", (member_sort_name("search_text") COLLATE "C"), "position");
CREATE INDEX "member_organization_id_updated_at_position_idx" ON "member"("organization_id", "updated_at", "position");
CREATE INDEX "member_organization_id_designation_id_position_idx"
  ON "member"("organization_id", "designation_id", "position");
CREATE INDEX "member_organization_id_is_guest_position_idx" ON "member"("organization_id", "is_guest", "position");
CREATE INDEX "event_start_idx" ON "event"("organization_id", (event_start("dates", "start_time") COLLATE "C"), "position");
CREATE INDEX "service_date_idx" ON "service"(
  "organization_id", (coalesce("date", "start_date", '9999-12-31')), (coalesce("start_time", '') COLLATE "C"), "position");

-- With the member, so that a filter by tag reads the index only.
CREATE INDEX "member_tag_organization_id_tag_id_member_id_idx" ON "member_tag"("organization_id", "tag_id", "member_id");
DROP INDEX "member_tag_organization_id_tag_id_idx";
