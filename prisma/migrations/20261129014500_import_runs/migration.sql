-- The imports that stored something, and the rows that they changed, by which they are undone.
CREATE TABLE "import_run" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "file" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "counts" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "undo" JSONB,
    "undone_at" TIMESTAMPTZ(3),
    CONSTRAINT "import_run_pkey" PRIMARY KEY ("organization_id","id")
);
CREATE TABLE "import_change" (
    "organization_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "batch" INTEGER NOT NULL,
    "table_name" TEXT NOT NULL,
    "record_key" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB NOT NULL,
    "kept" JSONB,
    CONSTRAINT "import_change_pkey" PRIMARY KEY ("organization_id","run_id","batch","table_name","record_key")
);
CREATE INDEX "import_run_updated_at_idx" ON "import_run"("updated_at");

-- Stores the rows that an import inserts or updates, once for each row of a batch. Only imports set the run and the batch,
-- for a transaction. Arguments: the columns of the primary key after the organization.
CREATE FUNCTION "insert_import_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  run TEXT := current_setting('cms.import_run');
  batch_number INTEGER := current_setting('cms.import_batch');
  derived TEXT[] := ARRAY['search_text', 'search_phone', 'sort_name'];
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO import_change (organization_id, run_id, batch, table_name, record_key, after)
    SELECT organization_id, run, batch_number, TG_TABLE_NAME,
      concat_ws(' ', after ->> TG_ARGV[0], after ->> TG_ARGV[1], after ->> TG_ARGV[2]), after
    FROM (SELECT organization_id, to_jsonb(c) - derived AS after FROM changed c) inserted;
  ELSE
    INSERT INTO import_change (organization_id, run_id, batch, table_name, record_key, before, after)
    SELECT c.organization_id, run, batch_number, TG_TABLE_NAME, c.id::text, to_jsonb(p) - derived, to_jsonb(c) - derived
    FROM changed c JOIN previous p ON p.organization_id = c.organization_id AND p.id = c.id
    ON CONFLICT ON CONSTRAINT import_change_pkey DO UPDATE SET after = EXCLUDED.after;
  END IF;
  RETURN NULL;
END
$$;

DO $$
DECLARE
  one RECORD;
BEGIN
  FOR one IN
    SELECT name, '''id''' AS key, true AS is_updated
    FROM unnest(ARRAY['designation', 'tag', 'member', 'department', 'form', 'form_field', 'form_response', 'event', 'service', 'prayer_request']) AS name
    UNION ALL VALUES
      ('member_tag', '''member_id'', ''tag_id''', false),
      ('department_member', '''department_id'', ''member_id''', false),
      ('external_id', '''resource'', ''source'', ''external_id''', false)
  LOOP
    EXECUTE format(
      'CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
       WHEN (current_setting(''cms.import_run'', true) <> '''') EXECUTE FUNCTION insert_import_changes(%s)',
      one.name || '_imported', one.name, one.key);
    IF one.is_updated THEN
      EXECUTE format(
        'CREATE TRIGGER %I AFTER UPDATE ON %I REFERENCING OLD TABLE AS previous NEW TABLE AS changed FOR EACH STATEMENT
         WHEN (current_setting(''cms.import_run'', true) <> '''') EXECUTE FUNCTION insert_import_changes(%s)',
        one.name || '_import_updated', one.name, one.key);
    END IF;
  END LOOP;
END
$$;
