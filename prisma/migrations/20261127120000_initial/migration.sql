-- The schema of version 1.0. The tables, indexes and foreign keys are those of prisma/schema.prisma; what Prisma's schema
-- language cannot express is at the end.

-- Substring search (trigrams), and the organization as first column of the same index.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- The last name and the first name of a search text, as the first 64 bytes in UTF-8, so that a cursor with it has a
-- constant size. Generated columns and indexes use this function and the next one: a change needs a new name.
CREATE FUNCTION "member_sort_name"(search_text TEXT) RETURNS BYTEA LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT substring(
    convert_to(split_part(search_text, chr(31), 2) || chr(31) || split_part(search_text, chr(31), 1), 'UTF8') FROM 1 FOR 64)
$$;

-- The first day and time of an event, such as `2026-01-31 18:30`; events without days come last.
CREATE FUNCTION "event_start"(dates JSONB, start_time TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(
    min((day->>'date' || ' ' || left(coalesce(day->>'start_time', start_time, ''), 16)) COLLATE "C"), '9999-12-31~')
  FROM jsonb_array_elements(dates) day
$$;

CREATE TABLE "organization" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "country" CHAR(2) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_form_field_id" INTEGER NOT NULL DEFAULT 0,
    "last_form_id" INTEGER NOT NULL DEFAULT 0,
    "time_zone" TEXT NOT NULL DEFAULT 'UTC',
    CONSTRAINT "organization_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "first_used_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "created_by" TEXT NOT NULL,
    "revoked_by" TEXT,
    "replaces_id" TEXT,
    "prefix" TEXT,
    "rate_limit" INTEGER,
    "scopes_counted_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "description" TEXT,
    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "administrator" (
    "id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "sign_in_email" TEXT,
    "name" TEXT,
    "password_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" TEXT,
    CONSTRAINT "administrator_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "operator" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "password_hash" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "operator_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "password_link" (
    "token_hash" BYTEA NOT NULL,
    "administrator_id" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "password_link_pkey" PRIMARY KEY ("token_hash")
);
CREATE TABLE "session" (
    "token_hash" BYTEA NOT NULL,
    "administrator_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "session_pkey" PRIMARY KEY ("token_hash")
);
CREATE TABLE "person" (
    "id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "person_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "email_address" (
    "address" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    CONSTRAINT "email_address_pkey" PRIMARY KEY ("address")
);
CREATE TABLE "person_organization" (
    "person_id" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "organization_id" TEXT NOT NULL,
    CONSTRAINT "person_organization_pkey" PRIMARY KEY ("person_id","slot")
);
CREATE TABLE "member" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "first_name" TEXT NOT NULL,
    "last_name" TEXT NOT NULL,
    "email_address" TEXT NOT NULL,
    "phone_number" TEXT,
    "gender" TEXT,
    "marital_status" TEXT,
    "date_of_birth" DATE,
    "address" TEXT,
    "city" TEXT,
    "state" TEXT,
    "zip_code" TEXT,
    "country" TEXT,
    "designation_id" TEXT,
    "is_guest" BOOLEAN NOT NULL DEFAULT false,
    "search_text" TEXT NOT NULL,
    "search_phone" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sort_name" BYTEA NOT NULL GENERATED ALWAYS AS (member_sort_name("search_text")) STORED,
    CONSTRAINT "member_pkey" PRIMARY KEY ("organization_id","id")
);
CREATE TABLE "designation" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "search_text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "designation_pkey" PRIMARY KEY ("organization_id","id")
);
CREATE TABLE "tag" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "description" TEXT,
    "category" TEXT,
    "color" TEXT,
    "source" TEXT NOT NULL DEFAULT 'admin',
    "privacy" TEXT NOT NULL DEFAULT 'public',
    "created_by" TEXT,
    "search_text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "tag_pkey" PRIMARY KEY ("organization_id","id")
);
CREATE TABLE "member_tag" (
    "organization_id" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "tag_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "position" BIGINT NOT NULL,
    CONSTRAINT "member_tag_pkey" PRIMARY KEY ("organization_id","member_id","tag_id")
);
CREATE TABLE "department" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "head_id" TEXT,
    "search_text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "department_pkey" PRIMARY KEY ("organization_id","id")
);
CREATE TABLE "department_member" (
    "organization_id" TEXT NOT NULL,
    "department_id" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    CONSTRAINT "department_member_pkey" PRIMARY KEY ("organization_id","department_id","member_id")
);
CREATE TABLE "prayer_request" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "title" TEXT,
    "description" TEXT NOT NULL,
    "sender" TEXT NOT NULL,
    "sender_email" TEXT,
    "sender_phone" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "answered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "position" BIGINT NOT NULL,
    "search_text" TEXT NOT NULL DEFAULT '',
    CONSTRAINT "prayer_request_pkey" PRIMARY KEY ("organization_id","id")
);
CREATE TABLE "form" (
    "organization_id" TEXT NOT NULL,
    "id" INTEGER NOT NULL,
    "position" BIGINT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "is_published" BOOLEAN NOT NULL DEFAULT false,
    "accepting_response" BOOLEAN NOT NULL DEFAULT false,
    "search_text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "form_pkey" PRIMARY KEY ("organization_id","id")
);
CREATE TABLE "form_field" (
    "organization_id" TEXT NOT NULL,
    "id" INTEGER NOT NULL,
    "form_id" INTEGER NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "question" TEXT NOT NULL,
    "field_type" TEXT NOT NULL,
    "is_required" BOOLEAN NOT NULL DEFAULT false,
    "description" TEXT,
    "options" JSONB,
    "collects" JSONB,
    CONSTRAINT "form_field_pkey" PRIMARY KEY ("organization_id","id")
);
CREATE TABLE "form_response" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "form_id" INTEGER NOT NULL,
    "position" BIGINT NOT NULL,
    "submitted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "answers" JSONB NOT NULL,
    CONSTRAINT "form_response_pkey" PRIMARY KEY ("organization_id","id")
);
CREATE TABLE "event" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "event_type" TEXT,
    "location" TEXT,
    "venue" TEXT,
    "dates" JSONB NOT NULL,
    "start_time" TEXT,
    "end_time" TEXT,
    "maximum_participants" INTEGER,
    "participants" INTEGER NOT NULL DEFAULT 0,
    "search_text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "event_pkey" PRIMARY KEY ("organization_id","id")
);
CREATE TABLE "service" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "schedule" TEXT,
    "date" DATE,
    "start_date" DATE,
    "end_date" DATE,
    "start_time" TEXT,
    "end_time" TEXT,
    "frequency" TEXT,
    "days" TEXT[],
    "location" TEXT,
    "recurring_id" TEXT,
    "search_text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "service_pkey" PRIMARY KEY ("organization_id","id")
);
CREATE TABLE "idempotency_record" (
    "organization_id" TEXT NOT NULL,
    "api_key_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "outcome" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("organization_id","api_key_id","key")
);
CREATE TABLE "audit_entry" (
    "organization_id" TEXT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "api_key_id" TEXT,
    "actor" TEXT,
    "channel" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "record_id" TEXT,
    "result" TEXT NOT NULL,
    "request_id" TEXT,
    "client_address" TEXT,
    "related_id" TEXT,
    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("organization_id","id")
);
CREATE TABLE "api_key_usage" (
    "api_key_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "points" BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT "api_key_usage_pkey" PRIMARY KEY ("api_key_id","day")
);
CREATE TABLE "api_key_scope_usage" (
    "api_key_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "scope" TEXT NOT NULL,
    "requests" BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT "api_key_scope_usage_pkey" PRIMARY KEY ("api_key_id","day","scope")
);
CREATE TABLE "api_key_operation_usage" (
    "api_key_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "requests" BIGINT NOT NULL DEFAULT 0,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "api_key_operation_usage_pkey" PRIMARY KEY ("api_key_id","operation","scope")
);
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
CREATE TABLE "api_key_usage_batch" (
    "id" TEXT NOT NULL,
    "written_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "api_key_usage_batch_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "external_id" (
    "organization_id" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,
    "record_id" TEXT NOT NULL,
    "source" TEXT NOT NULL DEFAULT '',
    "linked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "external_id_pkey" PRIMARY KEY ("organization_id","resource","source","external_id")
);
CREATE TABLE "import_progress" (
    "organization_id" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "rows_done" INTEGER NOT NULL,
    "counts" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "import_progress_pkey" PRIMARY KEY ("organization_id","resource","fingerprint")
);
CREATE TABLE "cursor_secret" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "secret" BYTEA NOT NULL,
    CONSTRAINT "cursor_secret_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "organization_counter" (
    "organization_id" TEXT NOT NULL,
    "last_number" BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT "organization_counter_pkey" PRIMARY KEY ("organization_id")
);
CREATE TABLE "record_change" (
    "organization_id" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "record_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "number" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "record_change_pkey" PRIMARY KEY ("organization_id","resource","record_id")
);
CREATE TABLE "change_feed" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "epoch" TEXT NOT NULL,
    CONSTRAINT "change_feed_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "schema_requirement" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "minimum_version" TEXT NOT NULL,
    CONSTRAINT "schema_requirement_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");
CREATE UNIQUE INDEX "api_key_replaces_id_key" ON "api_key"("replaces_id");
CREATE INDEX "api_key_organization_id_created_at_idx" ON "api_key"("organization_id", "created_at");
CREATE UNIQUE INDEX "administrator_sign_in_email_organization_id_key" ON "administrator"("sign_in_email", "organization_id");
CREATE INDEX "administrator_organization_id_created_at_idx" ON "administrator"("organization_id", "created_at");
CREATE INDEX "password_link_administrator_id_idx" ON "password_link"("administrator_id");
CREATE INDEX "password_link_expires_at_idx" ON "password_link"("expires_at");
CREATE INDEX "session_administrator_id_idx" ON "session"("administrator_id");
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");
CREATE INDEX "email_address_person_id_idx" ON "email_address"("person_id");
CREATE UNIQUE INDEX "email_address_address_person_id_key" ON "email_address"("address", "person_id");
CREATE UNIQUE INDEX "person_organization_person_id_organization_id_key" ON "person_organization"("person_id", "organization_id");
CREATE INDEX "member_organization_id_sort_name_position_idx" ON "member"("organization_id", "sort_name", "position");
CREATE INDEX "member_organization_id_updated_at_position_idx" ON "member"("organization_id", "updated_at", "position");
CREATE INDEX "member_organization_id_designation_id_position_idx" ON "member"("organization_id", "designation_id", "position");
CREATE INDEX "member_organization_id_is_guest_position_idx" ON "member"("organization_id", "is_guest", "position");
CREATE INDEX "member_search_idx" ON "member" USING GIN ("organization_id" text_ops, "search_text" gin_trgm_ops, "search_phone" gin_trgm_ops);
CREATE INDEX "member_email_address_id_idx" ON "member"("email_address", "id");
CREATE UNIQUE INDEX "member_organization_id_position_key" ON "member"("organization_id", "position");
CREATE INDEX "designation_search_idx" ON "designation" USING GIN ("organization_id" text_ops, "search_text" gin_trgm_ops);
CREATE UNIQUE INDEX "designation_organization_id_position_key" ON "designation"("organization_id", "position");
CREATE INDEX "tag_search_idx" ON "tag" USING GIN ("organization_id" text_ops, "search_text" gin_trgm_ops);
CREATE UNIQUE INDEX "tag_organization_id_slug_key" ON "tag"("organization_id", "slug");
CREATE UNIQUE INDEX "tag_organization_id_position_key" ON "tag"("organization_id", "position");
CREATE INDEX "member_tag_organization_id_tag_id_position_idx" ON "member_tag"("organization_id", "tag_id", "position");
CREATE INDEX "department_search_idx" ON "department" USING GIN ("organization_id" text_ops, "search_text" gin_trgm_ops);
CREATE UNIQUE INDEX "department_organization_id_position_key" ON "department"("organization_id", "position");
CREATE INDEX "department_member_organization_id_department_id_position_idx" ON "department_member"("organization_id", "department_id", "position");
CREATE INDEX "department_member_organization_id_member_id_idx" ON "department_member"("organization_id", "member_id");
CREATE INDEX "prayer_request_organization_id_status_position_idx" ON "prayer_request"("organization_id", "status", "position");
CREATE INDEX "prayer_request_search_idx" ON "prayer_request" USING GIN ("organization_id" text_ops, "search_text" gin_trgm_ops);
CREATE UNIQUE INDEX "prayer_request_organization_id_position_key" ON "prayer_request"("organization_id", "position");
CREATE INDEX "form_search_idx" ON "form" USING GIN ("organization_id" text_ops, "search_text" gin_trgm_ops);
CREATE UNIQUE INDEX "form_organization_id_position_key" ON "form"("organization_id", "position");
CREATE UNIQUE INDEX "form_field_organization_id_form_id_ordinal_key" ON "form_field"("organization_id", "form_id", "ordinal");
CREATE INDEX "form_response_organization_id_form_id_position_idx" ON "form_response"("organization_id", "form_id", "position");
CREATE INDEX "event_search_idx" ON "event" USING GIN ("organization_id" text_ops, "search_text" gin_trgm_ops);
CREATE UNIQUE INDEX "event_organization_id_position_key" ON "event"("organization_id", "position");
CREATE INDEX "service_search_idx" ON "service" USING GIN ("organization_id" text_ops, "search_text" gin_trgm_ops);
CREATE UNIQUE INDEX "service_organization_id_position_key" ON "service"("organization_id", "position");
CREATE INDEX "idempotency_record_created_at_idx" ON "idempotency_record"("created_at");
CREATE INDEX "audit_entry_organization_id_record_id_idx" ON "audit_entry"("organization_id", "record_id");
CREATE INDEX "audit_entry_organization_id_operation_id_idx" ON "audit_entry"("organization_id", "operation", "id");
CREATE INDEX "audit_entry_organization_id_api_key_id_id_idx" ON "audit_entry"("organization_id", "api_key_id", "id");
CREATE INDEX "api_key_failed_request_api_key_id_at_id_idx" ON "api_key_failed_request"("api_key_id", "at", "id");
CREATE INDEX "api_key_failed_request_at_idx" ON "api_key_failed_request"("at");
CREATE INDEX "api_key_usage_batch_written_at_idx" ON "api_key_usage_batch"("written_at");
CREATE INDEX "external_id_organization_id_resource_record_id_idx" ON "external_id"("organization_id", "resource", "record_id");
CREATE UNIQUE INDEX "record_change_organization_id_resource_number_key" ON "record_change"("organization_id", "resource", "number");

ALTER TABLE "api_key"
  ADD CONSTRAINT "api_key_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "administrator"
  ADD CONSTRAINT "administrator_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "password_link"
  ADD CONSTRAINT "password_link_administrator_id_fkey" FOREIGN KEY ("administrator_id") REFERENCES "administrator"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "session"
  ADD CONSTRAINT "session_administrator_id_fkey" FOREIGN KEY ("administrator_id") REFERENCES "administrator"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "email_address"
  ADD CONSTRAINT "email_address_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "person_organization"
  ADD CONSTRAINT "person_organization_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "member"
  ADD CONSTRAINT "member_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "member"
  ADD CONSTRAINT "member_id_organization_id_fkey" FOREIGN KEY ("id", "organization_id") REFERENCES "person_organization"("person_id", "organization_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "member"
  ADD CONSTRAINT "member_email_address_id_fkey" FOREIGN KEY ("email_address", "id") REFERENCES "email_address"("address", "person_id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "member"
  ADD CONSTRAINT "member_organization_id_designation_id_fkey" FOREIGN KEY ("organization_id", "designation_id") REFERENCES "designation"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "designation"
  ADD CONSTRAINT "designation_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "tag"
  ADD CONSTRAINT "tag_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "member_tag"
  ADD CONSTRAINT "member_tag_organization_id_member_id_fkey" FOREIGN KEY ("organization_id", "member_id") REFERENCES "member"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "member_tag"
  ADD CONSTRAINT "member_tag_organization_id_tag_id_fkey" FOREIGN KEY ("organization_id", "tag_id") REFERENCES "tag"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "department"
  ADD CONSTRAINT "department_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "department"
  ADD CONSTRAINT "department_organization_id_head_id_fkey" FOREIGN KEY ("organization_id", "head_id") REFERENCES "member"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "department_member"
  ADD CONSTRAINT "department_member_organization_id_department_id_fkey" FOREIGN KEY ("organization_id", "department_id") REFERENCES "department"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "department_member"
  ADD CONSTRAINT "department_member_organization_id_member_id_fkey" FOREIGN KEY ("organization_id", "member_id") REFERENCES "member"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "prayer_request"
  ADD CONSTRAINT "prayer_request_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "form"
  ADD CONSTRAINT "form_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "form_field"
  ADD CONSTRAINT "form_field_organization_id_form_id_fkey" FOREIGN KEY ("organization_id", "form_id") REFERENCES "form"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "form_response"
  ADD CONSTRAINT "form_response_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "form_response"
  ADD CONSTRAINT "form_response_organization_id_form_id_fkey" FOREIGN KEY ("organization_id", "form_id") REFERENCES "form"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "event"
  ADD CONSTRAINT "event_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "service"
  ADD CONSTRAINT "service_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "api_key_usage"
  ADD CONSTRAINT "api_key_usage_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "api_key_scope_usage"
  ADD CONSTRAINT "api_key_scope_usage_api_key_id_day_fkey" FOREIGN KEY ("api_key_id", "day") REFERENCES "api_key_usage"("api_key_id", "day") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "api_key_operation_usage"
  ADD CONSTRAINT "api_key_operation_usage_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "api_key_failed_request"
  ADD CONSTRAINT "api_key_failed_request_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_key"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "organization_counter"
  ADD CONSTRAINT "organization_counter_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The orders of events and services.
CREATE INDEX "event_start_idx"
  ON "event"("organization_id", (event_start("dates", "start_time") COLLATE "C"), "position");
CREATE INDEX "service_date_idx" ON "service"("organization_id",
  (coalesce("date", "start_date", '9999-12-31')), (left(coalesce("start_time", ''), 16) COLLATE "C"), "position");

-- A person belongs to at most three organizations, whatever runs at the same time.
ALTER TABLE "person_organization" ADD CONSTRAINT "person_organization_slot_check" CHECK ("slot" BETWEEN 1 AND 3);
ALTER TABLE "member" ADD CONSTRAINT "member_gender_check" CHECK ("gender" IN ('Male', 'Female', 'Others'));
ALTER TABLE "tag" ADD CONSTRAINT "tag_source_check" CHECK ("source" IN ('admin', 'system', 'ai'));
ALTER TABLE "tag" ADD CONSTRAINT "tag_privacy_check" CHECK ("privacy" IN ('public', 'private'));
ALTER TABLE "form_field" ADD CONSTRAINT "form_field_field_type_check" CHECK ("field_type" IN (
  'short_answer', 'paragraph', 'number', 'email', 'dropdown', 'multiple_choice', 'single_choice',
  'phone_number', 'date', 'time', 'scale', 'contact', 'payment', 'file_upload'));
-- A quarter of the range, so that numbers never overflow.
ALTER TABLE "organization_counter" ADD CONSTRAINT "organization_counter_last_number_check"
  CHECK ("last_number" BETWEEN 0 AND 2305843009213693952);
ALTER TABLE "record_change" ADD CONSTRAINT "record_change_operation_check"
  CHECK ("operation" IN ('created', 'updated', 'removed'));
ALTER TABLE "operator" ADD CONSTRAINT "operator_single_row_check" CHECK ("id" = 1);
ALTER TABLE "cursor_secret" ADD CONSTRAINT "cursor_secret_single_row_check" CHECK ("id" = 1);
ALTER TABLE "change_feed" ADD CONSTRAINT "change_feed_single_row_check" CHECK ("id" = 1);
ALTER TABLE "schema_requirement" ADD CONSTRAINT "schema_requirement_single_row_check" CHECK ("id" = 1);

INSERT INTO "schema_requirement" ("minimum_version") VALUES ('1.0.0');
INSERT INTO "change_feed" ("epoch") VALUES (gen_random_uuid()::text);
-- Created here, so that all instances encrypt cursors with the same secret.
INSERT INTO "cursor_secret" ("secret")
VALUES (sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));

-- Audit entries are never changed or deleted. TRUNCATE fires no row triggers.
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR DELETE ON "audit_entry"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "audit_entry_no_truncate" BEFORE TRUNCATE ON "audit_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- Keeps the latest 200 failed requests of each key. Those that exceeded the rate limit, of which there can be a flood, are
-- the first to go.
CREATE FUNCTION "trim_failed_requests"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM api_key_failed_request f USING (
    SELECT k.api_key_id, oldest.is_other, oldest.at, oldest.id
    FROM (SELECT DISTINCT api_key_id FROM inserted) k, LATERAL (
      SELECT code <> 'rate_limited' AS is_other, at, id FROM api_key_failed_request r WHERE r.api_key_id = k.api_key_id
      ORDER BY code <> 'rate_limited' DESC, at DESC, id DESC OFFSET 199 LIMIT 1
    ) oldest
  ) kept
  WHERE f.api_key_id = kept.api_key_id
    AND (f.code <> 'rate_limited', f.at, f.id) < (kept.is_other, kept.at, kept.id);
  RETURN NULL;
END
$$;
CREATE TRIGGER "api_key_failed_request_trim" AFTER INSERT ON "api_key_failed_request"
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION "trim_failed_requests"();

-- The trigger functions below run as the owner of the tables: a role that may change records need not write the counter
-- and the change feed. The end of this file sets the schema in which they find the tables.

CREATE FUNCTION "create_counter"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO organization_counter (organization_id) VALUES (NEW.id);
  RETURN NULL;
END
$$;
CREATE TRIGGER "organization_created" AFTER INSERT ON "organization" FOR EACH ROW EXECUTE FUNCTION "create_counter"();

-- Sets the position of rows that Prisma Client or psql insert without one. The service's SQL takes a range of numbers for
-- each statement.
CREATE FUNCTION "set_position"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  UPDATE organization_counter SET last_number = last_number + 1
  WHERE organization_id = NEW.organization_id RETURNING last_number INTO NEW.position;
  RETURN NEW;
END
$$;

-- Records a change of each of the records, with numbers from the counters of their organizations. `updated` never replaces
-- `removed`: the triggers of child rows that are deleted with a record can run after those of the record.
CREATE FUNCTION "insert_changes"(resource TEXT, operation TEXT, organization_ids TEXT[], record_ids TEXT[])
RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  IF organization_ids IS NULL THEN RETURN; END IF;
  WITH record AS (
    SELECT organization_id, record_id,
      row_number() OVER (PARTITION BY organization_id ORDER BY record_id COLLATE "C") AS row_number
    FROM (SELECT DISTINCT o AS organization_id, r AS record_id FROM unnest(organization_ids, record_ids) AS id (o, r)) one
  ), taken AS (
    UPDATE organization_counter c SET last_number = c.last_number + requested.count
    FROM (SELECT organization_id, count(*) FROM record GROUP BY organization_id) requested
    WHERE c.organization_id = requested.organization_id
    RETURNING c.organization_id, c.last_number - requested.count AS previous_number
  )
  INSERT INTO record_change AS c (organization_id, resource, record_id, operation, number)
  SELECT organization_id, insert_changes.resource, record_id, insert_changes.operation, previous_number + row_number
  FROM record JOIN taken USING (organization_id)
  ON CONFLICT ON CONSTRAINT record_change_pkey DO UPDATE
  SET operation = EXCLUDED.operation, number = EXCLUDED.number, at = EXCLUDED.at
  WHERE NOT (c.operation = 'removed' AND EXCLUDED.operation = 'updated');
END
$$;
REVOKE ALL ON FUNCTION "insert_changes" FROM PUBLIC;

-- The change of a new record has the number of its position. Argument: the resource.
CREATE FUNCTION "insert_created_changes"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO record_change (organization_id, resource, record_id, operation, number)
  SELECT organization_id, TG_ARGV[0], id::text, 'created', position FROM changed
  ON CONFLICT ON CONSTRAINT record_change_pkey DO UPDATE
  SET operation = EXCLUDED.operation, number = EXCLUDED.number, at = EXCLUDED.at;
  RETURN NULL;
END
$$;

-- Arguments: the resource, the operation.
CREATE FUNCTION "insert_record_changes"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  PERFORM insert_changes(TG_ARGV[0], TG_ARGV[1], array_agg(organization_id), array_agg(id::text)) FROM changed;
  RETURN NULL;
END
$$;

-- Rows that are part of another record. Arguments: the resource of that record, the column with its id.
CREATE FUNCTION "insert_parent_changes"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  PERFORM insert_changes(
    TG_ARGV[0], 'updated', array_agg(organization_id), array_agg(to_jsonb(changed) ->> TG_ARGV[1])) FROM changed;
  RETURN NULL;
END
$$;

-- Departments show the name of their head.
CREATE FUNCTION "insert_member_updates"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  PERFORM insert_changes('members', 'updated', array_agg(organization_id), array_agg(id)) FROM changed;
  PERFORM FROM changed JOIN previous USING (organization_id, id)
    WHERE (changed.first_name, changed.last_name) <> (previous.first_name, previous.last_name);
  IF FOUND THEN
    PERFORM insert_changes('departments', 'updated', array_agg(d.organization_id), array_agg(d.id))
    FROM changed JOIN previous USING (organization_id, id)
    JOIN department d ON d.organization_id = changed.organization_id AND d.head_id = changed.id
    WHERE (changed.first_name, changed.last_name) <> (previous.first_name, previous.last_name);
  END IF;
  RETURN NULL;
END
$$;

-- Members show the name of their designation.
CREATE FUNCTION "insert_designation_updates"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  PERFORM insert_changes('designations', 'updated', array_agg(organization_id), array_agg(id)) FROM changed;
  PERFORM insert_changes('members', 'updated', array_agg(m.organization_id), array_agg(m.id))
  FROM changed JOIN previous USING (organization_id, id)
  JOIN member m ON m.organization_id = changed.organization_id AND m.designation_id = changed.id
  WHERE changed.name <> previous.name;
  RETURN NULL;
END
$$;

-- The APIs show tags that are assignable: others do not exist for them. Argument: the operation.
CREATE FUNCTION "insert_tag_changes"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  PERFORM insert_changes('tags', TG_ARGV[0], array_agg(organization_id), array_agg(id)) FROM changed
  WHERE source = 'admin' AND privacy = 'public';
  RETURN NULL;
END
$$;

-- Members show their assignable tags.
CREATE FUNCTION "insert_tag_updates"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  updated RECORD;
BEGIN
  FOR updated IN
    SELECT organization_id, id, is_assignable, was_assignable
    FROM changed JOIN previous USING (organization_id, id)
    CROSS JOIN LATERAL (SELECT
      changed.source = 'admin' AND changed.privacy = 'public' AS is_assignable,
      previous.source = 'admin' AND previous.privacy = 'public' AS was_assignable) tag
    WHERE is_assignable OR was_assignable
    ORDER BY organization_id, id
  LOOP
    PERFORM insert_changes('tags',
      CASE WHEN NOT updated.is_assignable THEN 'removed' WHEN updated.was_assignable THEN 'updated' ELSE 'created' END,
      ARRAY[updated.organization_id], ARRAY[updated.id]);
    IF updated.is_assignable <> updated.was_assignable THEN
      PERFORM insert_changes('members', 'updated', array_agg(mt.organization_id), array_agg(mt.member_id))
      FROM member_tag mt WHERE mt.organization_id = updated.organization_id AND mt.tag_id = updated.id;
    END IF;
  END LOOP;
  RETURN NULL;
END
$$;

-- The triggers of the tables of records and of their child rows.
DO $$
DECLARE
  one RECORD;
BEGIN
  FOR one IN
    SELECT * FROM (VALUES
      ('designation', 'insert_created_changes(''designations'')', 'insert_designation_updates()', 'insert_record_changes(''designations'', ''removed'')'),
      ('tag', 'insert_tag_changes(''created'')', 'insert_tag_updates()', 'insert_tag_changes(''removed'')'),
      ('member', 'insert_created_changes(''members'')', 'insert_member_updates()', 'insert_record_changes(''members'', ''removed'')'),
      ('member_tag', 'insert_parent_changes(''members'', ''member_id'')', NULL, NULL),
      ('department_member', 'insert_parent_changes(''departments'', ''department_id'')', NULL, NULL),
      ('form_field', 'insert_parent_changes(''forms'', ''form_id'')', NULL, NULL)
    ) AS specific (name, on_insert, on_update, on_delete)
    UNION ALL
    SELECT name, format('insert_created_changes(%L)', name || 's'), format('insert_record_changes(%L, ''updated'')', name || 's'),
      format('insert_record_changes(%L, ''removed'')', name || 's')
    FROM unnest(ARRAY['department', 'form', 'form_response', 'event', 'service', 'prayer_request']) AS name
  LOOP
    IF one.name <> 'form_field' THEN
      EXECUTE format(
        'CREATE TRIGGER %I BEFORE INSERT ON %I FOR EACH ROW WHEN (NEW.position IS NULL) EXECUTE FUNCTION set_position()',
        one.name || '_position', one.name);
    END IF;
    EXECUTE format(
      'CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION %s',
      one.name || '_created', one.name, one.on_insert);
    EXECUTE format(
      'CREATE TRIGGER %I AFTER UPDATE ON %I REFERENCING OLD TABLE AS previous NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION %s',
      one.name || '_updated', one.name, coalesce(one.on_update, one.on_insert));
    EXECUTE format(
      'CREATE TRIGGER %I AFTER DELETE ON %I REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION %s',
      one.name || '_removed', one.name, coalesce(one.on_delete, one.on_insert));
  END LOOP;
END
$$;

-- With the temporary schema last, so that no session can replace a table by a temporary one.
DO $$
DECLARE
  definer REGPROCEDURE;
BEGIN
  FOR definer IN SELECT oid FROM pg_proc WHERE prosecdef AND pronamespace = current_schema()::regnamespace LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', definer, current_schema());
  END LOOP;
END
$$;
