-- The sort key of the member in the order of names, so that a page of the members of a tag or department, in that order, is
-- a range of an index.
ALTER TABLE "member_tag" ADD COLUMN "member_name" TEXT COLLATE "C";
ALTER TABLE "department_member" ADD COLUMN "member_name" TEXT COLLATE "C";

-- Locks the member first, as the foreign key does afterwards: a transaction that renames the member comes before or after
-- this one. A lock that does not conflict with other updates returns the row before them, so the row is read again. Runs as
-- the owner of the tables: a role that may link members need not change them.
CREATE OR REPLACE FUNCTION "set_member_position"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM FROM member WHERE organization_id = NEW.organization_id AND id = NEW.member_id FOR KEY SHARE;
  SELECT position, member_sort_name(search_text) INTO NEW.member_position, NEW.member_name FROM member
  WHERE organization_id = NEW.organization_id AND id = NEW.member_id;
  RETURN NEW;
END
$$;

-- The triggers come first: they lock the tables, so that no row is written between them and the update of existing rows.
DROP TRIGGER "member_tag_position" ON "member_tag";
DROP TRIGGER "department_member_position" ON "department_member";
CREATE TRIGGER "member_tag_position" BEFORE INSERT ON "member_tag"
  FOR EACH ROW WHEN (NEW.member_position IS NULL OR NEW.member_name IS NULL) EXECUTE FUNCTION "set_member_position"();
CREATE TRIGGER "department_member_position" BEFORE INSERT ON "department_member"
  FOR EACH ROW WHEN (NEW.member_position IS NULL OR NEW.member_name IS NULL) EXECUTE FUNCTION "set_member_position"();

-- Nothing that the APIs show changes with the sort key of a link, so the change feed does not note it. Arguments: the
-- resource of the record that shows the links, the column with its id.
CREATE FUNCTION "note_link_updates"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM note_changes(
    TG_ARGV[0], 'updated', array_agg(link ->> 'organization_id'), array_agg(link ->> TG_ARGV[1]))
  FROM (
    SELECT to_jsonb(changed) - 'member_name' AS link FROM changed
    EXCEPT SELECT to_jsonb(previous) - 'member_name' FROM previous
  ) updated;
  RETURN NULL;
END
$$;
DROP TRIGGER "member_tag_updated" ON "member_tag";
DROP TRIGGER "department_member_updated" ON "department_member";
CREATE TRIGGER "member_tag_updated" AFTER UPDATE ON "member_tag" REFERENCING NEW TABLE AS changed OLD TABLE AS previous
  FOR EACH STATEMENT EXECUTE FUNCTION "note_link_updates"('members', 'member_id');
CREATE TRIGGER "department_member_updated" AFTER UPDATE ON "department_member"
  REFERENCING NEW TABLE AS changed OLD TABLE AS previous
  FOR EACH STATEMENT EXECUTE FUNCTION "note_link_updates"('departments', 'department_id');

-- As before, and updates the sort keys of the links of renamed members.
CREATE OR REPLACE FUNCTION "note_member_updates"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  renamed RECORD;
  is_renamed BOOLEAN := FALSE;
BEGIN
  FOR renamed IN
    SELECT organization_id, id, member_sort_name(changed.search_text) AS sort_name,
      member_sort_name(changed.search_text) <> member_sort_name(previous.search_text) AS is_sorted_anew
    FROM changed JOIN previous USING (organization_id, id)
    WHERE (changed.first_name, changed.last_name) <> (previous.first_name, previous.last_name)
      OR (changed.search_text <> previous.search_text
        AND member_sort_name(changed.search_text) <> member_sort_name(previous.search_text))
    ORDER BY organization_id, id
  LOOP
    is_renamed := TRUE;
    PERFORM FROM member m WHERE m.organization_id = renamed.organization_id AND m.id = renamed.id FOR UPDATE;
    IF renamed.is_sorted_anew THEN
      UPDATE member_tag link SET member_name = renamed.sort_name
      WHERE link.organization_id = renamed.organization_id AND link.member_id = renamed.id;
      UPDATE department_member link SET member_name = renamed.sort_name
      WHERE link.organization_id = renamed.organization_id AND link.member_id = renamed.id;
    END IF;
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
DROP INDEX "department_member_organization_id_department_id_position_idx";
DROP INDEX "department_member_organization_id_department_id_member_posi_idx";

ALTER TABLE "member_tag" DISABLE TRIGGER USER;
ALTER TABLE "department_member" DISABLE TRIGGER USER;
UPDATE "member_tag" link SET "member_name" = member_sort_name(m.search_text)
FROM "member" m WHERE m.organization_id = link.organization_id AND m.id = link.member_id;
UPDATE "department_member" link SET "member_name" = member_sort_name(m.search_text)
FROM "member" m WHERE m.organization_id = link.organization_id AND m.id = link.member_id;
ALTER TABLE "member_tag" ENABLE TRIGGER USER;
ALTER TABLE "department_member" ENABLE TRIGGER USER;

CREATE INDEX "member_tag_organization_id_tag_id_position_idx" ON "member_tag"("organization_id", "tag_id", "position");
CREATE INDEX "department_member_organization_id_department_id_position_idx"
  ON "department_member"("organization_id", "department_id", "position");
CREATE INDEX "member_tag_organization_id_tag_id_member_position_idx"
  ON "member_tag"("organization_id", "tag_id", "member_position");
CREATE INDEX "department_member_organization_id_department_id_member_posi_idx"
  ON "department_member"("organization_id", "department_id", "member_position");
CREATE INDEX "member_tag_organization_id_tag_id_member_name_member_posit_idx"
  ON "member_tag"("organization_id", "tag_id", "member_name", "member_position");
CREATE INDEX "department_member_organization_id_department_id_member_name_idx"
  ON "department_member"("organization_id", "department_id", "member_name", "member_position");
