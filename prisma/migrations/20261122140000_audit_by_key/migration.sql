-- The entries of one key, newest first, as GraphQL's `viewer` shows them.
-- CreateIndex
CREATE INDEX "audit_entry_organization_id_api_key_id_id_idx" ON "audit_entry"("organization_id", "api_key_id", "id");
