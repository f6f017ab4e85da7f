-- The members of a tag are listed in the order in which they got it.
ALTER TABLE "member_tag" ADD COLUMN "position" BIGINT;

UPDATE "member_tag" mt
SET "position" = o.n
FROM (
  SELECT t.organization_id, t.member_id, t.tag_id, row_number() OVER (ORDER BY t.created_at, m.position, t.tag_id COLLATE "C") AS n
  FROM "member_tag" t JOIN "member" m ON m.organization_id = t.organization_id AND m.id = t.member_id
) o
WHERE mt.organization_id = o.organization_id AND mt.member_id = o.member_id AND mt.tag_id = o.tag_id;

CREATE SEQUENCE "member_tag_position_seq" AS BIGINT OWNED BY "member_tag"."position";
SELECT setval('member_tag_position_seq', 1 + coalesce((SELECT max("position") FROM "member_tag"), 0), false);
ALTER TABLE "member_tag"
  ALTER COLUMN "position" SET DEFAULT nextval('member_tag_position_seq'), ALTER COLUMN "position" SET NOT NULL;

CREATE INDEX "member_tag_organization_id_tag_id_position_idx" ON "member_tag"("organization_id", "tag_id", "position");
