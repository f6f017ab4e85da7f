-- The time of the member's last update, so that a page of the members of a tag or department, in that order, is a range of
-- an index.
ALTER TABLE "member_tag" ADD COLUMN "member_updated_at" TIMESTAMPTZ(3);
ALTER TABLE "department_member" ADD COLUMN "member_updated_at" TIMESTAMPTZ(3);

-- As before, with the time of the last update.
CREATE OR REPLACE FUNCTION "set_member_position"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM FROM member WHERE organization_id = NEW.organization_id AND id = NEW.member_id FOR KEY SHARE;
  SELECT position, member_sort_name(search_text), updated_at
  INTO NEW.member_position, NEW.member_name, NEW.member_updated_at
  FROM member WHERE organization_id = NEW.organization_id AND id = NEW.member_id;
  RETURN NEW;
END
$$;

-- The triggers come first: they lock the tables, so that no row is written between them and the update of existing rows.
DROP TRIGGER "member_tag_position" ON "member_tag";
DROP TRIGGER "department_member_position" ON "department_member";
CREATE TRIGGER "member_tag_position" BEFORE INSERT ON "member_tag" FOR EACH ROW
  WHEN (NEW.member_position IS NULL OR NEW.member_name IS NULL OR NEW.member_updated_at IS NULL)
  EXECUTE FUNCTION "set_member_position"();
CREATE TRIGGER "department_member_position" BEFORE INSERT ON "department_member" FOR EACH ROW
  WHEN (NEW.member_position IS NULL OR NEW.member_name IS NULL OR NEW.member_updated_at IS NULL)
  EXECUTE FUNCTION "set_member_position"();

-- As before: nothing that the APIs show changes with the sort keys of a link.
CREATE OR REPLACE FUNCTION "note_link_updates"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM note_changes(
    TG_ARGV[0], 'updated', array_agg(link ->> 'organization_id'), array_agg(link ->> TG_ARGV[1]))
  FROM (
    SELECT to_jsonb(changed) - '{member_name,member_updated_at}'::text[] AS link FROM changed
    EXCEPT SELECT to_jsonb(previous) - '{member_name,member_updated_at}'::text[] FROM previous
  ) updated;
  RETURN NULL;
END
$$;

-- As before, and updates the sort keys of the links of each member that is updated.
CREATE OR REPLACE FUNCTION "note_member_updates"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  updated RECORD;
  is_renamed BOOLEAN := FALSE;
BEGIN
  FOR updated IN
    SELECT organization_id, id, member_sort_name(changed.search_text) AS sort_name, changed.updated_at,
      (changed.first_name, changed.last_name) <> (previous.first_name, previous.last_name) AS has_other_name
    FROM changed JOIN previous USING (organization_id, id)
    WHERE (changed.first_name, changed.last_name, changed.search_text, changed.updated_at)
      <> (previous.first_name, previous.last_name, previous.search_text, previous.updated_at)
    ORDER BY organization_id, id
  LOOP
    is_renamed := is_renamed OR updated.has_other_name;
    PERFORM FROM member m WHERE m.organization_id = updated.organization_id AND m.id = updated.id FOR UPDATE;
    UPDATE member_tag link SET member_name = updated.sort_name, member_updated_at = updated.updated_at
    WHERE link.organization_id = updated.organization_id AND link.member_id = updated.id;
    UPDATE department_member link SET member_name = updated.sort_name, member_updated_at = updated.updated_at
    WHERE link.organization_id = updated.organization_id AND link.member_id = updated.id;
  END LOOP;
  PERFORM note_changes('members', 'updated', array_agg(organization_id), array_agg(id)) FROM changed;
  IF is_renamed THEN
    PERFORM note_changes('departments', 'updated', array_agg(d.organization_id), array_agg(d.id))
    FROM changed JOIN previous USING (organization_id, id)
    JOIN department d ON d.organization_id = changed.organization_id AND d.head_id = changed.id
    WHERE (changed.first_name, changed.last_name) <> (previous.first_name, previous.last_name);
  END IF;
  RETURN NULL;
END
$$;

-- Without these indexes, the update of all rows is faster.
DROP INDEX "member_tag_organization_id_tag_id_position_idx";
DROP INDEX "member_tag_organization_id_tag_id_member_position_idx";
DROP INDEX "member_tag_organization_id_tag_id_member_name_member_posit_idx";
DROP INDEX "department_member_organization_id_department_id_position_idx";
DROP INDEX "department_member_organization_id_department_id_member_posi_idx";
DROP INDEX "department_member_organization_id_department_id_member_name_idx";

ALTER TABLE "member_tag" DISABLE TRIGGER USER;
ALTER TABLE "department_member" DISABLE TRIGGER USER;
UPDATE "member_tag" link SET "member_updated_at" = m.updated_at
FROM "member" m WHERE m.organization_id = link.organization_id AND m.id = link.member_id;
UPDATE "department_member" link SET "member_updated_at" = m.updated_at
FROM "member" m WHERE m.organization_id = link.organization_id AND m.id = link.member_id;
ALTER TABLE "member_tag" ENABLE TRIGGER USER;
ALTER TABLE "department_member" ENABLE TRIGGER USER;

CREATE INDEX "member_tag_organization_id_tag_id_position_idx" ON "member_tag"("organization_id", "tag_id", "position");
CREATE INDEX "member_tag_organization_id_tag_id_member_position_idx"
  ON "member_tag"("organization_id", "tag_id", "member_position");
CREATE INDEX "member_tag_organization_id_tag_id_member_name_member_posit_idx"
  ON "member_tag"("organization_id", "tag_id", "member_name", "member_position");
CREATE INDEX "member_tag_by_update_idx"
  ON "member_tag"("organization_id", "tag_id", "member_updated_at", "member_position");
CREATE INDEX "department_member_organization_id_department_id_position_idx"
  ON "department_member"("organization_id", "department_id", "position");
CREATE INDEX "department_member_organization_id_department_id_member_posi_idx"
  ON "department_member"("organization_id", "department_id", "member_position");
CREATE INDEX "department_member_organization_id_department_id_member_name_idx"
  ON "department_member"("organization_id", "department_id", "member_name", "member_position");
CREATE INDEX "department_member_by_update_idx"
  ON "department_member"("organization_id", "department_id", "member_updated_at", "member_position");
