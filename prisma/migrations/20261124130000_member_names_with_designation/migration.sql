-- With the designation, so that the members of one designation are found by name without reading all others.
DROP INDEX "member_name_idx";
CREATE INDEX "member_name_idx"
  ON "member"("organization_id", (member_sort_name("search_text") COLLATE "C"), "position", "designation_id");
