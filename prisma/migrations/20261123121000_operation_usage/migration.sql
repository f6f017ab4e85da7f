-- How often a key needed each scope, by operation, and when last.
-- CreateTable
CREATE TABLE "api_key_operation_usage" (
    "api_key_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "requests" BIGINT NOT NULL DEFAULT 0,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_key_operation_usage_pkey" PRIMARY KEY ("api_key_id","operation","scope")
);

-- AddForeignKey
ALTER TABLE "api_key_operation_usage" ADD CONSTRAINT "api_key_operation_usage_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Scopes were counted by day before: the operations that needed them are not known, and the end of the day is taken for
-- the time of the last request.
INSERT INTO "api_key_operation_usage" ("api_key_id", "operation", "scope", "requests", "last_used_at")
SELECT api_key_id, '', scope, sum(requests), least((max(day) + 1)::timestamp AT TIME ZONE 'UTC', CURRENT_TIMESTAMP)
FROM api_key_scope_usage GROUP BY api_key_id, scope;

-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "scopes_counted_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- Scopes were certainly counted from the first day that any key has.
UPDATE "api_key" SET scopes_counted_since = greatest(created_at, least(
  (SELECT (min(day) + 1)::timestamp AT TIME ZONE 'UTC' FROM api_key_scope_usage), CURRENT_TIMESTAMP));
