-- With the columns of filters, so that PostgreSQL reads only the members that match, where the list is in the order of
-- names. Updates write no more indexes than before: they all write this one, because they change updated_at.
DROP INDEX "member_name_idx";
CREATE INDEX "member_name_idx" ON "member"(
  "organization_id", (member_sort_name("search_text") COLLATE "C"), "position", "designation_id", "updated_at");
