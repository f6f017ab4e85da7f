-- How many requests of a key were answered, and how many were refused or failed, by day and by hour.

ALTER TABLE "api_key_usage"
    ADD COLUMN "requests" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "failed" BIGINT NOT NULL DEFAULT 0;

-- Earlier days have a count by scope only: a request that needs several scopes is in each of them.
UPDATE "api_key_usage" u SET "requests" = s.requests
FROM (SELECT api_key_id, day, max(requests) AS requests FROM api_key_scope_usage GROUP BY api_key_id, day) s
WHERE s.api_key_id = u.api_key_id AND s.day = u.day;

CREATE TABLE "api_key_hourly_usage" (
    "api_key_id" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(0) NOT NULL,
    "points" BIGINT NOT NULL DEFAULT 0,
    "requests" BIGINT NOT NULL DEFAULT 0,
    "failed" BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT "api_key_hourly_usage_pkey" PRIMARY KEY ("api_key_id","hour")
);
CREATE INDEX "api_key_hourly_usage_hour_idx" ON "api_key_hourly_usage"("hour");
ALTER TABLE "api_key_hourly_usage"
  ADD CONSTRAINT "api_key_hourly_usage_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
