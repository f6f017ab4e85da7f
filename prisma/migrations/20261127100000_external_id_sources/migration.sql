-- External ids of several systems: each system (`source`) has its own ids, and a record can have several.
ALTER TABLE "external_id"
  ADD COLUMN "source" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "linked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  DROP CONSTRAINT "external_id_pkey",
  ADD CONSTRAINT "external_id_pkey" PRIMARY KEY ("organization_id", "resource", "source", "external_id");
DROP INDEX "external_id_organization_id_resource_record_id_key";
CREATE INDEX "external_id_organization_id_resource_record_id_idx" ON "external_id"("organization_id", "resource", "record_id");
