-- The position of the member in the list of members, so that a page of the members of a tag or department, in the order of
-- that list, is a range of an index.
ALTER TABLE "member_tag" ADD COLUMN "member_position" BIGINT;
ALTER TABLE "department_member" ADD COLUMN "member_position" BIGINT;

-- Positions of members never change.
CREATE FUNCTION "set_member_position"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  NEW.member_position := (SELECT position FROM member WHERE organization_id = NEW.organization_id AND id = NEW.member_id);
  RETURN NEW;
END
$$;

-- The triggers come first: they lock the tables, so that no row is written between them and the update of existing rows.
CREATE TRIGGER "member_tag_position" BEFORE INSERT ON "member_tag"
  FOR EACH ROW WHEN (NEW.member_position IS NULL) EXECUTE FUNCTION "set_member_position"();
CREATE TRIGGER "department_member_position" BEFORE INSERT ON "department_member"
  FOR EACH ROW WHEN (NEW.member_position IS NULL) EXECUTE FUNCTION "set_member_position"();

-- Without these indexes, the update of all rows is faster.
DROP INDEX "member_tag_organization_id_tag_id_member_id_idx";
DROP INDEX "member_tag_organization_id_tag_id_position_idx";
DROP INDEX "department_member_organization_id_department_id_position_idx";

-- Nothing that the APIs show changes, so the change feed does not note it.
ALTER TABLE "member_tag" DISABLE TRIGGER USER;
ALTER TABLE "department_member" DISABLE TRIGGER USER;
UPDATE "member_tag" link SET "member_position" = m.position
FROM "member" m WHERE m.organization_id = link.organization_id AND m.id = link.member_id;
UPDATE "department_member" link SET "member_position" = m.position
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
