-- For lists in the order of entry of members that were updated since a time. With a B-tree index on the position,
-- PostgreSQL would read from the start of the list until it finds enough of them, but they are often at its end.
--
-- GiST sorts by distances in double precision, which is exact only up to 2^53. The position is therefore split into its
-- upper bits and its lower 20 bits. `position + 0` is for the conditions of cursors. It is an expression, so that
-- PostgreSQL does not use this index for other queries on positions, where a B-tree index is faster.
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE INDEX "member_updated_by_position_idx" ON "member"
  USING GIST ("organization_id", ("position" >> 20), ("position" & 1048575), ("position" + 0), "updated_at");
