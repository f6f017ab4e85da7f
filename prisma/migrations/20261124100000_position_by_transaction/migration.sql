-- Positions follow from the transaction that adds the record, so that a page can tell which positions belong to
-- transactions that are still running. They no longer come from sequences.

-- Added to the positions that follow from transaction ids, so that they continue above existing ones.
-- CreateTable
CREATE TABLE "position_base" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "base" BIGINT NOT NULL,

    CONSTRAINT "position_base_pkey" PRIMARY KEY ("id")
);

INSERT INTO "position_base" ("base") VALUES (0);

-- These functions run as the owner of the table: a role that may add records need not read it. PL/pgSQL keeps their plans.

-- The first of the 1,048,576 positions of a transaction.
CREATE FUNCTION "first_position"(transaction_id BIGINT) RETURNS BIGINT LANGUAGE plpgsql STABLE PARALLEL SAFE
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  RETURN (SELECT base FROM position_base) + (transaction_id << 20);
END
$$;

CREATE FUNCTION "refuse_position"() RETURNS BIGINT LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a transaction can add at most 1048576 records' USING ERRCODE = 'program_limit_exceeded',
    HINT = 'Add them in several transactions.';
END
$$;

-- The position after the last one of the transaction. PostgreSQL inlines it and next_position, because they run for every
-- record. What they call is bound to this schema.
CREATE FUNCTION "position_after"(last BIGINT) RETURNS BIGINT LANGUAGE sql VOLATILE
BEGIN ATOMIC
  SELECT CASE WHEN (last & 1048575) = 1048575 THEN refuse_position() ELSE last + 1 END;
END;

-- The next position of the transaction. A setting that ends with the transaction has the last one.
CREATE FUNCTION "next_position"() RETURNS BIGINT LANGUAGE sql VOLATILE
BEGIN ATOMIC
  SELECT set_config(
    'cms.last_position',
    coalesce(
      position_after(nullif(current_setting('cms.last_position', true), '')::bigint),
      first_position(pg_current_xact_id()::text::bigint))::text,
    true)::bigint;
END;

-- The positions whose records the statement cannot see yet: the ranges of running transactions, and the first position of
-- transactions that begin later. The snapshot does not name the transactions that began after all completed ones: they are
-- those from its end to the next transaction id, which age() tells.
CREATE FUNCTION "unseen_positions"() RETURNS TEXT[] LANGUAGE plpgsql STABLE PARALLEL RESTRICTED
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  snapshot pg_snapshot := pg_current_snapshot();
  snapshot_end BIGINT := pg_snapshot_xmax(snapshot)::text::bigint;
  next_id BIGINT := snapshot_end + greatest(0, age(pg_snapshot_xmax(snapshot)::xid));
  zero BIGINT := first_position(0);
BEGIN
  RETURN ARRAY[
    (
      SELECT range_agg(int8range(zero + (first << 20), zero + (last << 20)))::text
      FROM (
        SELECT xip::text::bigint AS first, xip::text::bigint + 1 AS last FROM pg_snapshot_xip(snapshot) AS xip
        UNION ALL SELECT snapshot_end, next_id
      ) running
    ),
    (zero + (next_id << 20))::text
  ];
END
$$;

-- Raises the base so that the positions of later transactions are greater than `last`. The base is a multiple of the number
-- of positions of a transaction.
CREATE FUNCTION "raise_positions_above"(last BIGINT) RETURNS VOID LANGUAGE sql
BEGIN ATOMIC
  UPDATE position_base
  SET base = greatest(base, (((last - (pg_current_xact_id()::text::bigint << 20)) >> 20) + 1) << 20);
END;
REVOKE ALL ON FUNCTION "raise_positions_above" FROM PUBLIC;

-- The same for all existing positions, if transaction ids began anew: in a database that was restored, moved, or copied by
-- pg_restore.
CREATE FUNCTION "raise_positions"() RETURNS VOID LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  one RECORD;
  greatest_of_table BIGINT;
  last BIGINT := 0;
BEGIN
  FOR one IN
    SELECT a.attrelid::regclass AS name, a.attname AS position
    FROM pg_attrdef d
    JOIN pg_depend used ON used.classid = 'pg_attrdef'::regclass AND used.objid = d.oid
      AND used.refclassid = 'pg_proc'::regclass AND used.refobjid = 'next_position'::regproc
    JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
    JOIN pg_class c ON c.oid = d.adrelid AND NOT c.relispartition
  LOOP
    EXECUTE format('SELECT max(%I) FROM %s', one.position, one.name) INTO greatest_of_table;
    last := greatest(last, greatest_of_table);
  END LOOP;
  PERFORM raise_positions_above(last);
END
$$;

-- As before, and raises the positions too.
CREATE OR REPLACE FUNCTION "restart_copied_change_feed"() RETURNS VOID LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM FROM change_feed WHERE transaction_id % 4294967296 <> xmin::text::bigint;
  IF NOT FOUND OR current_setting('transaction_read_only')::boolean THEN RETURN; END IF;
  -- Another start may have done it meanwhile.
  PERFORM FROM change_feed WHERE transaction_id % 4294967296 <> xmin::text::bigint FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM raise_positions();
  UPDATE change_feed SET epoch = gen_random_uuid()::text, transaction_id = pg_current_xact_id()::text::bigint;
  UPDATE record_change SET transaction_id = pg_current_xact_id()::text::bigint;
END
$$;

-- Existing rows keep their positions; the sequences know the greatest ones without reading the tables. Setting a default
-- locks the table until the transactions that write to it have ended.
DO $$
DECLARE
  one TEXT;
  last_of_sequence BIGINT;
  last BIGINT := 0;
BEGIN
  FOREACH one IN ARRAY ARRAY['designation', 'member', 'tag', 'member_tag', 'department', 'department_member',
    'prayer_request', 'form', 'form_response', 'event', 'service']
  LOOP
    EXECUTE format('ALTER TABLE %I ALTER COLUMN "position" SET DEFAULT next_position()', one);
    EXECUTE format('SELECT last_value FROM %I', one || '_position_seq') INTO last_of_sequence;
    last := greatest(last, last_of_sequence);
    EXECUTE format('DROP SEQUENCE %I', one || '_position_seq');
  END LOOP;
  PERFORM raise_positions_above(last);
END
$$;
