-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "replaces_id" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "api_key_replaces_id_key" ON "api_key"("replaces_id");
