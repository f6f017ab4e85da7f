-- Webhooks: addresses to which the changes of an organization are sent, and their deliveries.
CREATE TABLE "webhook" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "url" TEXT NOT NULL,
    "resources" TEXT[],
    "scopes" TEXT[],
    "with_records" BOOLEAN NOT NULL DEFAULT false,
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_secret_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "epoch" TEXT NOT NULL,
    "last_number" BIGINT NOT NULL,
    "start_number" BIGINT NOT NULL,
    "pending_number" BIGINT,
    "claim" BIGINT NOT NULL DEFAULT 0,
    "claimed_until" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "paused_at" TIMESTAMPTZ(3),
    "pause_reason" TEXT,
    CONSTRAINT "webhook_pkey" PRIMARY KEY ("id"),
    -- An organization has at most ten, whatever runs at the same time.
    CONSTRAINT "webhook_slot_check" CHECK ("slot" BETWEEN 1 AND 10),
    -- A prayer request creates no notification of any kind.
    CONSTRAINT "webhook_resources_check" CHECK ("resources" <> '{}' AND NOT 'prayer_requests' = ANY ("resources"))
);
CREATE TABLE "webhook_delivery" (
    "webhook_id" TEXT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "message_id" TEXT NOT NULL,
    "is_test" BOOLEAN NOT NULL DEFAULT false,
    "changes" INTEGER NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "duration_ms" INTEGER NOT NULL,
    "answer" TEXT,
    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("webhook_id","id")
);
CREATE UNIQUE INDEX "webhook_organization_id_slot_key" ON "webhook"("organization_id", "slot");
CREATE INDEX "webhook_delivery_at_idx" ON "webhook_delivery"("at");
ALTER TABLE "webhook"
  ADD CONSTRAINT "webhook_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_delivery"
  ADD CONSTRAINT "webhook_delivery_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;
