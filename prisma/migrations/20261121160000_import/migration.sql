-- CreateTable
CREATE TABLE "external_id" (
    "organization_id" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,
    "record_id" TEXT NOT NULL,

    CONSTRAINT "external_id_pkey" PRIMARY KEY ("organization_id","resource","external_id")
);

-- CreateTable
CREATE TABLE "import_progress" (
    "organization_id" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "rows_done" INTEGER NOT NULL,
    "counts" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "import_progress_pkey" PRIMARY KEY ("organization_id","resource","fingerprint")
);

-- CreateIndex
CREATE UNIQUE INDEX "external_id_organization_id_resource_record_id_key" ON "external_id"("organization_id", "resource", "record_id");
