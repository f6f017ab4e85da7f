-- The latest requests of a key that were refused or failed. A row has no value that a caller chose, except the request id.
-- CreateTable
CREATE TABLE "api_key_failed_request" (
    "api_key_id" TEXT NOT NULL,
    "id" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "api" TEXT NOT NULL,
    "operation" TEXT,
    "status" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "field" TEXT,
    "request_id" TEXT NOT NULL,
    "cost" INTEGER NOT NULL,

    CONSTRAINT "api_key_failed_request_pkey" PRIMARY KEY ("api_key_id","id")
);

-- CreateIndex
CREATE INDEX "api_key_failed_request_api_key_id_at_id_idx" ON "api_key_failed_request"("api_key_id", "at", "id");

-- CreateIndex
CREATE INDEX "api_key_failed_request_at_idx" ON "api_key_failed_request"("at");

-- AddForeignKey
ALTER TABLE "api_key_failed_request" ADD CONSTRAINT "api_key_failed_request_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_key"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Keeps the 200 latest requests of each key. The inserting statement has locked the rows of the keys, so that this sees
-- the requests that other instances wrote before.
CREATE FUNCTION "trim_failed_requests"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM api_key_failed_request f USING (
    SELECT k.api_key_id, oldest.at, oldest.id
    FROM (SELECT DISTINCT api_key_id FROM inserted) k, LATERAL (
      SELECT at, id FROM api_key_failed_request r WHERE r.api_key_id = k.api_key_id
      ORDER BY at DESC, id DESC OFFSET 199 LIMIT 1
    ) oldest
  ) kept
  WHERE f.api_key_id = kept.api_key_id AND (f.at, f.id) < (kept.at, kept.id);
  RETURN NULL;
END
$$;

CREATE TRIGGER "api_key_failed_request_trim" AFTER INSERT ON "api_key_failed_request"
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION "trim_failed_requests"();
