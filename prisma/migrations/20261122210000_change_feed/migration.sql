-- The latest change of each record, for the change feed.
-- CreateTable
CREATE TABLE "record_change" (
    "organization_id" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "record_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "transaction_id" BIGINT NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "record_change_pkey" PRIMARY KEY ("organization_id","resource","record_id")
);

-- CreateTable
CREATE TABLE "change_feed" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "epoch" TEXT NOT NULL,
    "transaction_id" BIGINT NOT NULL,

    CONSTRAINT "change_feed_pkey" PRIMARY KEY ("id")
);

INSERT INTO "change_feed" ("epoch", "transaction_id")
VALUES (gen_random_uuid()::text, pg_current_xact_id()::text::bigint);

-- Cursors are valid in one history of one database. The row's own transaction differs in a database that pg_restore
-- made, the timeline after a failover or a recovery to a point in time. Null on a standby, whose transactions lag.
CREATE FUNCTION "change_feed_epoch"() RETURNS TEXT LANGUAGE sql STABLE AS $$
  SELECT epoch || '.' || xmin::text || '.' ||
    CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END
  FROM change_feed
$$;

-- Numbers all changes anew if the transaction ids are those of another database, because pg_restore copied them: new
-- changes would have smaller ones. Each start of the service calls it.
CREATE FUNCTION "restart_copied_change_feed"() RETURNS VOID LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM FROM change_feed WHERE transaction_id % 4294967296 <> xmin::text::bigint;
  IF NOT FOUND OR current_setting('transaction_read_only')::boolean THEN RETURN; END IF;
  -- Another start may have done it meanwhile.
  PERFORM FROM change_feed WHERE transaction_id % 4294967296 <> xmin::text::bigint FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE change_feed SET epoch = gen_random_uuid()::text, transaction_id = pg_current_xact_id()::text::bigint;
  UPDATE record_change SET transaction_id = pg_current_xact_id()::text::bigint;
END
$$;

-- Rows are locked in one order, so that two statements that change the same records do not wait for each other. A change
-- of a child row does not bring back a record that was removed with it.
CREATE FUNCTION "note_changes"(resource TEXT, operation TEXT, organization_ids TEXT[], record_ids TEXT[])
RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  IF organization_ids IS NULL THEN RETURN; END IF;
  INSERT INTO record_change AS c (organization_id, resource, record_id, operation, transaction_id)
  SELECT DISTINCT id.organization_id COLLATE "C", note_changes.resource, id.record_id COLLATE "C",
    note_changes.operation, pg_current_xact_id()::text::bigint
  FROM unnest(organization_ids, record_ids) AS id (organization_id, record_id)
  ORDER BY 1, 3
  ON CONFLICT ON CONSTRAINT record_change_pkey DO UPDATE
  SET operation = EXCLUDED.operation, transaction_id = EXCLUDED.transaction_id, position = EXCLUDED.position,
    at = EXCLUDED.at
  WHERE NOT (c.operation = 'removed' AND EXCLUDED.operation = 'updated');
END
$$;
REVOKE ALL ON FUNCTION "note_changes" FROM PUBLIC;

-- The trigger functions run as the owner of the tables: a role that may change records need not write the feed.

-- Arguments: the resource, the operation. Without note_changes, because it runs for every record that is written: the
-- call takes longer than the row.
CREATE FUNCTION "note_record_changes"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO record_change (organization_id, resource, record_id, operation, transaction_id)
  SELECT organization_id COLLATE "C", TG_ARGV[0], id::text COLLATE "C", TG_ARGV[1], pg_current_xact_id()::text::bigint
  FROM changed
  ORDER BY 1, 3
  ON CONFLICT ON CONSTRAINT record_change_pkey DO UPDATE
  SET operation = EXCLUDED.operation, transaction_id = EXCLUDED.transaction_id, position = EXCLUDED.position,
    at = EXCLUDED.at;
  RETURN NULL;
END
$$;

-- Rows that are part of another record. Arguments: the resource of that record, the column with its id.
CREATE FUNCTION "note_parent_changes"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM note_changes(
    TG_ARGV[0], 'updated', array_agg(organization_id), array_agg(to_jsonb(changed) ->> TG_ARGV[1])) FROM changed;
  RETURN NULL;
END
$$;

-- Departments show the name of their head.
CREATE FUNCTION "note_member_updates"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM note_changes('members', 'updated', array_agg(organization_id), array_agg(id)) FROM changed;
  PERFORM FROM changed JOIN previous USING (organization_id, id)
    WHERE (changed.first_name, changed.last_name) <> (previous.first_name, previous.last_name);
  IF FOUND THEN
    PERFORM note_changes('departments', 'updated', array_agg(d.organization_id), array_agg(d.id))
    FROM changed JOIN previous USING (organization_id, id)
    JOIN department d ON d.organization_id = changed.organization_id AND d.head_id = changed.id
    WHERE (changed.first_name, changed.last_name) <> (previous.first_name, previous.last_name);
  END IF;
  RETURN NULL;
END
$$;

-- Members show the name of their designation.
CREATE FUNCTION "note_designation_updates"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM note_changes('designations', 'updated', array_agg(organization_id), array_agg(id)) FROM changed;
  PERFORM note_changes('members', 'updated', array_agg(m.organization_id), array_agg(m.id))
  FROM changed JOIN previous USING (organization_id, id)
  JOIN member m ON m.organization_id = changed.organization_id AND m.designation_id = changed.id
  WHERE changed.name <> previous.name;
  RETURN NULL;
END
$$;

-- The APIs show tags that are assignable: others do not exist for them.
CREATE FUNCTION "note_tag_changes"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM note_changes('tags', TG_ARGV[0], array_agg(organization_id), array_agg(id)) FROM changed
  WHERE source = 'admin' AND privacy = 'public';
  RETURN NULL;
END
$$;

CREATE FUNCTION "note_tag_updates"() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM note_changes('tags', tag.operation, array_agg(tag.organization_id), array_agg(tag.id))
  FROM (
    SELECT organization_id, id,
      CASE WHEN NOT now_shown THEN 'removed' WHEN shown_before THEN 'updated' ELSE 'created' END AS operation
    FROM changed JOIN previous USING (organization_id, id)
    CROSS JOIN LATERAL (SELECT
      changed.source = 'admin' AND changed.privacy = 'public' AS now_shown,
      previous.source = 'admin' AND previous.privacy = 'public' AS shown_before) shown
    WHERE now_shown OR shown_before
  ) tag
  GROUP BY tag.operation;
  RETURN NULL;
END
$$;

-- The triggers come first: they lock the tables, so that nothing is written between them and the rows of existing records.
DO $$
DECLARE
  one RECORD;
BEGIN
  FOR one IN
    SELECT name, event, verb, transition, function, array_to_string(array(SELECT quote_literal(a) FROM unnest(arguments) a), ', ') AS arguments
    FROM (VALUES
      ('INSERT', 'created', 'NEW TABLE AS changed'),
      ('UPDATE', 'updated', 'NEW TABLE AS changed OLD TABLE AS previous'),
      ('DELETE', 'removed', 'OLD TABLE AS changed')
    ) AS e (event, verb, transition)
    CROSS JOIN LATERAL (VALUES
      ('designation', CASE event WHEN 'UPDATE' THEN 'note_designation_updates' ELSE 'note_record_changes' END,
        ARRAY['designations', verb]),
      ('tag', CASE event WHEN 'UPDATE' THEN 'note_tag_updates' ELSE 'note_tag_changes' END, ARRAY[verb]),
      ('member', CASE event WHEN 'UPDATE' THEN 'note_member_updates' ELSE 'note_record_changes' END,
        ARRAY['members', verb]),
      ('department', 'note_record_changes', ARRAY['departments', verb]),
      ('form', 'note_record_changes', ARRAY['forms', verb]),
      ('form_response', 'note_record_changes', ARRAY['form_responses', verb]),
      ('event', 'note_record_changes', ARRAY['events', verb]),
      ('service', 'note_record_changes', ARRAY['services', verb]),
      ('prayer_request', 'note_record_changes', ARRAY['prayer_requests', verb]),
      ('member_tag', 'note_parent_changes', ARRAY['members', 'member_id']),
      ('department_member', 'note_parent_changes', ARRAY['departments', 'department_id']),
      ('form_field', 'note_parent_changes', ARRAY['forms', 'form_id'])
    ) AS t (name, function, arguments)
  LOOP
    EXECUTE format(
      'CREATE TRIGGER %I AFTER %s ON %I REFERENCING %s FOR EACH STATEMENT EXECUTE FUNCTION %I(%s)',
      one.name || '_' || one.verb, one.event, one.name, one.transition, one.function, one.arguments);
  END LOOP;
END
$$;

INSERT INTO "record_change" ("organization_id", "resource", "record_id", "operation", "transaction_id", "at")
SELECT organization_id, resource, id, 'created', pg_current_xact_id()::text::bigint, at FROM (
  SELECT 1 AS rank, 'designations' AS resource, organization_id, position, id, created_at AS at FROM "designation"
  UNION ALL SELECT 2, 'tags', organization_id, position, id, created_at FROM "tag"
    WHERE source = 'admin' AND privacy = 'public'
  UNION ALL SELECT 3, 'members', organization_id, position, id, updated_at FROM "member"
  UNION ALL SELECT 4, 'departments', organization_id, position, id, updated_at FROM "department"
  UNION ALL SELECT 5, 'forms', organization_id, position, id::text, updated_at FROM "form"
  UNION ALL SELECT 6, 'form_responses', organization_id, position, id, submitted_at FROM "form_response"
  UNION ALL SELECT 7, 'events', organization_id, position, id, updated_at FROM "event"
  UNION ALL SELECT 8, 'services', organization_id, position, id, updated_at FROM "service"
  UNION ALL SELECT 9, 'prayer_requests', organization_id, 0, id, updated_at FROM "prayer_request"
) record
ORDER BY rank, organization_id, position, id;

-- Pages read each resource by itself: how much other resources changed does not matter.
-- CreateIndex
CREATE INDEX "record_change_feed_idx" ON "record_change"("organization_id", "resource", "transaction_id", "position");
