CREATE TABLE "announcement" (
  "organization_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "position" BIGINT NOT NULL,
  "title" TEXT NOT NULL,
  "priority" INTEGER NOT NULL,
  "member_id" TEXT,
  "search_text" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "announcement_pkey" PRIMARY KEY ("organization_id", "id"),
  CONSTRAINT "announcement_organization_id_fkey" FOREIGN KEY ("organization_id")
    REFERENCES "organization" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "announcement_organization_id_member_id_fkey" FOREIGN KEY ("organization_id", "member_id")
    REFERENCES "member" ("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "announcement_organization_id_position_key" ON "announcement" ("organization_id", "position");
CREATE INDEX "announcement_search_idx" ON "announcement"
  USING GIN ("organization_id" text_ops, "search_text" gin_trgm_ops);
CREATE TRIGGER "announcement_position" BEFORE INSERT ON "announcement"
FOR EACH ROW WHEN (NEW.position IS NULL) EXECUTE FUNCTION set_position();
CREATE TRIGGER "announcement_created" AFTER INSERT ON "announcement" REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION "insert_created_changes"('announcements');
CREATE TRIGGER "announcement_updated" AFTER UPDATE ON "announcement" REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION "insert_record_changes"('announcements', 'updated');
CREATE TRIGGER "announcement_removed" AFTER DELETE ON "announcement" REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION "insert_record_changes"('announcements', 'removed');
CREATE TRIGGER "announcement_imported" AFTER INSERT ON "announcement" REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT WHEN (current_setting('cms.import_run', true) <> '') EXECUTE FUNCTION "insert_import_changes"('id');
CREATE TRIGGER "announcement_import_updated" AFTER UPDATE ON "announcement"
REFERENCING OLD TABLE AS previous NEW TABLE AS changed
FOR EACH STATEMENT WHEN (current_setting('cms.import_run', true) <> '') EXECUTE FUNCTION "insert_import_changes"('id');
