-- The developer page's history: what happened to an organization's keys, among all else that it wrote.
-- CreateIndex
CREATE INDEX "audit_entry_organization_id_operation_id_idx" ON "audit_entry"("organization_id", "operation", "id");
