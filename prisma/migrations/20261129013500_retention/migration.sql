-- Retention of the audit, of the usage of keys and of removed records in the change feed; deletion of organizations.

ALTER TABLE "organization" ADD COLUMN "deletion_started_at" TIMESTAMPTZ(3), ADD COLUMN "records_deleted_since" TIMESTAMPTZ(3);

CREATE TABLE "purged_change" (
    "organization_id" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "number" BIGINT NOT NULL,
    CONSTRAINT "purged_change_pkey" PRIMARY KEY ("organization_id","resource")
);

CREATE INDEX "audit_entry_at_idx" ON "audit_entry"("at");
CREATE INDEX "api_key_usage_day_idx" ON "api_key_usage"("day");
CREATE INDEX "api_key_scope_usage_day_idx" ON "api_key_scope_usage"("day");
CREATE INDEX "record_change_removed_idx" ON "record_change"("at") WHERE "operation" = 'removed';

-- Audit entries are never changed, and only deleted by purge_audit_entries().
CREATE OR REPLACE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('cms.purges_audit', true) = 'on' THEN RETURN OLD; END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;

-- Deletes at most `max_rows` audit entries that are older than `days` days; those of API keys are the history of keys, which
-- is kept. It runs as the owner of the table, so that the role of the service, which may not delete entries, can delete old
-- ones, but never those of the last seven days.
CREATE FUNCTION "purge_audit_entries"(days INTEGER, max_rows INTEGER) RETURNS SETOF BIGINT
LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF days IS NULL OR days < 7 THEN RAISE EXCEPTION 'audit entries are kept for at least 7 days'; END IF;
  PERFORM set_config('cms.purges_audit', 'on', true);
  RETURN QUERY
    WITH old AS MATERIALIZED (
      SELECT a.organization_id, a.id FROM audit_entry a
      WHERE a.at < now() - days * interval '1 day' AND a.operation NOT LIKE '%ApiKey'
      ORDER BY a.at LIMIT max_rows FOR UPDATE SKIP LOCKED
    )
    DELETE FROM audit_entry a USING old WHERE a.organization_id = old.organization_id AND a.id = old.id
    RETURNING a.id;
  PERFORM set_config('cms.purges_audit', 'off', true);
END
$$;
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION purge_audit_entries SET search_path = %I, pg_temp', current_schema());
END
$$;
