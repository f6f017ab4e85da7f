-- Finds the first members in the order of entry that were updated since a time. A B-tree index on the position would have
-- to be read from its start, because recently updated members are often the last ones.
--
-- GiST compares distances, by which it sorts, as double-precision numbers. They cannot represent all positions, but their
-- upper and lower bits. All parts of the position are expressions, so that PostgreSQL does not use this index where one of
-- the B-tree indexes is faster.
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE INDEX "member_entry_of_updated_idx" ON "member"
  USING GIST ("organization_id", ("position" >> 20), ("position" & 1048575), ("position" + 0), "updated_at");
