-- The sort key of names as a column. For an index-only scan of an expression, PostgreSQL requires the columns that it is
-- computed from in the index too, and the search text is too long for an index.
-- If "member_sort_name" is redefined, its values here do not change: use a function with a new name, and a new column.
DROP INDEX "member_name_idx";
DROP INDEX "member_organization_id_updated_at_position_idx";
ALTER TABLE "member" ADD COLUMN "sort_name" TEXT COLLATE "C" NOT NULL
  GENERATED ALWAYS AS (member_sort_name("search_text")) STORED;
CREATE INDEX "member_name_idx"
  ON "member"("organization_id", "sort_name", "position", "designation_id", "updated_at");
-- Includes the sort key, so that recently updated members are sorted by name before they are read, and the designation,
-- so that a filter by designation reads only matching members.
CREATE INDEX "member_updated_at_idx"
  ON "member"("organization_id", "updated_at", "position", "sort_name", "designation_id");
