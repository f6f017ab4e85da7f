-- TRUNCATE fires no row triggers: it needs a statement trigger of its own.
CREATE TRIGGER "audit_entry_no_truncate" BEFORE TRUNCATE ON "audit_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
