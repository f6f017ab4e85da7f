ALTER TABLE "session" ADD COLUMN "other_administrator_ids" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- When a key stops working, so that a page reads only the keys that it shows.
CREATE INDEX "api_key_end_idx" ON "api_key" ("organization_id", (COALESCE(LEAST("revoked_at", "expires_at"), 'infinity'::timestamptz)), "id");
