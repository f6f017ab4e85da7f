-- CreateTable
CREATE TABLE "api_key_scope_usage" (
    "api_key_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "scope" TEXT NOT NULL,
    "requests" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "api_key_scope_usage_pkey" PRIMARY KEY ("api_key_id","day","scope")
);

-- CreateTable
CREATE TABLE "api_key_usage_batch" (
    "id" TEXT NOT NULL,
    "written_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_key_usage_batch_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "api_key_usage_batch_written_at_idx" ON "api_key_usage_batch"("written_at");

-- AddForeignKey
ALTER TABLE "api_key_scope_usage" ADD CONSTRAINT "api_key_scope_usage_api_key_id_day_fkey" FOREIGN KEY ("api_key_id", "day") REFERENCES "api_key_usage"("api_key_id", "day") ON DELETE RESTRICT ON UPDATE CASCADE;
