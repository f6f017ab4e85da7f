-- Substring search (trigrams), and the organization as first column of the same index.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- CreateTable
CREATE TABLE "organization" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "country" CHAR(2) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
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

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "person" (
    "id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "person_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "email_address" (
    "address" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,

    CONSTRAINT "email_address_pkey" PRIMARY KEY ("address")
);

-- CreateTable
CREATE TABLE "person_organization" (
    "person_id" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "organization_id" TEXT NOT NULL,

    CONSTRAINT "person_organization_pkey" PRIMARY KEY ("person_id","slot")
);

-- CreateTable
CREATE TABLE "member" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" BIGSERIAL NOT NULL,
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

    CONSTRAINT "member_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "designation" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "search_text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "designation_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "tag" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" BIGSERIAL NOT NULL,
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

-- CreateTable
CREATE TABLE "member_tag" (
    "organization_id" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "tag_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "member_tag_pkey" PRIMARY KEY ("organization_id","member_id","tag_id")
);

-- CreateTable
CREATE TABLE "department" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "head_id" TEXT,
    "search_text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "department_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "department_member" (
    "organization_id" TEXT NOT NULL,
    "department_id" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "position" BIGSERIAL NOT NULL,

    CONSTRAINT "department_member_pkey" PRIMARY KEY ("organization_id","department_id","member_id")
);

-- CreateTable
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

    CONSTRAINT "prayer_request_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "form" (
    "organization_id" TEXT NOT NULL,
    "id" SERIAL NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "is_published" BOOLEAN NOT NULL DEFAULT false,
    "accepting_response" BOOLEAN NOT NULL DEFAULT false,
    "search_text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "form_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "form_field" (
    "organization_id" TEXT NOT NULL,
    "id" SERIAL NOT NULL,
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

-- CreateTable
CREATE TABLE "form_response" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "form_id" INTEGER NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "submitted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "answers" JSONB NOT NULL,

    CONSTRAINT "form_response_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "event" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" BIGSERIAL NOT NULL,
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

-- CreateTable
CREATE TABLE "service" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "position" BIGSERIAL NOT NULL,
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

-- CreateTable
CREATE TABLE "cursor_secret" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "secret" BYTEA NOT NULL,

    CONSTRAINT "cursor_secret_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_organization_id_created_at_idx" ON "api_key"("organization_id", "created_at");

-- CreateIndex
CREATE INDEX "email_address_person_id_idx" ON "email_address"("person_id");

-- CreateIndex
CREATE UNIQUE INDEX "email_address_address_person_id_key" ON "email_address"("address", "person_id");

-- CreateIndex
CREATE UNIQUE INDEX "person_organization_person_id_organization_id_key" ON "person_organization"("person_id", "organization_id");

-- CreateIndex
CREATE INDEX "member_organization_id_position_idx" ON "member"("organization_id", "position");

-- CreateIndex
CREATE INDEX "member_search_idx" ON "member" USING GIN ("organization_id" text_ops, "search_text" gin_trgm_ops, "search_phone" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "member_email_address_id_idx" ON "member"("email_address", "id");

-- CreateIndex
CREATE INDEX "designation_organization_id_position_idx" ON "designation"("organization_id", "position");

-- CreateIndex
CREATE INDEX "designation_search_idx" ON "designation" USING GIN ("organization_id" text_ops, "search_text" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "tag_organization_id_position_idx" ON "tag"("organization_id", "position");

-- CreateIndex
CREATE INDEX "tag_search_idx" ON "tag" USING GIN ("organization_id" text_ops, "search_text" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "tag_organization_id_slug_key" ON "tag"("organization_id", "slug");

-- CreateIndex
CREATE INDEX "member_tag_organization_id_tag_id_idx" ON "member_tag"("organization_id", "tag_id");

-- CreateIndex
CREATE INDEX "department_organization_id_position_idx" ON "department"("organization_id", "position");

-- CreateIndex
CREATE INDEX "department_search_idx" ON "department" USING GIN ("organization_id" text_ops, "search_text" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "department_member_organization_id_department_id_position_idx" ON "department_member"("organization_id", "department_id", "position");

-- CreateIndex
CREATE INDEX "department_member_organization_id_member_id_idx" ON "department_member"("organization_id", "member_id");

-- CreateIndex
CREATE INDEX "form_organization_id_position_idx" ON "form"("organization_id", "position");

-- CreateIndex
CREATE INDEX "form_search_idx" ON "form" USING GIN ("organization_id" text_ops, "search_text" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "form_field_organization_id_form_id_ordinal_key" ON "form_field"("organization_id", "form_id", "ordinal");

-- CreateIndex
CREATE INDEX "form_response_organization_id_form_id_position_idx" ON "form_response"("organization_id", "form_id", "position");

-- CreateIndex
CREATE INDEX "event_organization_id_position_idx" ON "event"("organization_id", "position");

-- CreateIndex
CREATE INDEX "event_search_idx" ON "event" USING GIN ("organization_id" text_ops, "search_text" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "service_organization_id_position_idx" ON "service"("organization_id", "position");

-- CreateIndex
CREATE INDEX "service_search_idx" ON "service" USING GIN ("organization_id" text_ops, "search_text" gin_trgm_ops);

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "email_address" ADD CONSTRAINT "email_address_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "person_organization" ADD CONSTRAINT "person_organization_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_id_organization_id_fkey" FOREIGN KEY ("id", "organization_id") REFERENCES "person_organization"("person_id", "organization_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_email_address_id_fkey" FOREIGN KEY ("email_address", "id") REFERENCES "email_address"("address", "person_id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_organization_id_designation_id_fkey" FOREIGN KEY ("organization_id", "designation_id") REFERENCES "designation"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "designation" ADD CONSTRAINT "designation_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tag" ADD CONSTRAINT "tag_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member_tag" ADD CONSTRAINT "member_tag_organization_id_member_id_fkey" FOREIGN KEY ("organization_id", "member_id") REFERENCES "member"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member_tag" ADD CONSTRAINT "member_tag_organization_id_tag_id_fkey" FOREIGN KEY ("organization_id", "tag_id") REFERENCES "tag"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "department" ADD CONSTRAINT "department_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "department" ADD CONSTRAINT "department_organization_id_head_id_fkey" FOREIGN KEY ("organization_id", "head_id") REFERENCES "member"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "department_member" ADD CONSTRAINT "department_member_organization_id_department_id_fkey" FOREIGN KEY ("organization_id", "department_id") REFERENCES "department"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "department_member" ADD CONSTRAINT "department_member_organization_id_member_id_fkey" FOREIGN KEY ("organization_id", "member_id") REFERENCES "member"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "prayer_request" ADD CONSTRAINT "prayer_request_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form" ADD CONSTRAINT "form_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_field" ADD CONSTRAINT "form_field_organization_id_form_id_fkey" FOREIGN KEY ("organization_id", "form_id") REFERENCES "form"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_response" ADD CONSTRAINT "form_response_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "form_response" ADD CONSTRAINT "form_response_organization_id_form_id_fkey" FOREIGN KEY ("organization_id", "form_id") REFERENCES "form"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event" ADD CONSTRAINT "event_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service" ADD CONSTRAINT "service_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema language cannot say.

-- A person belongs to at most three organizations, whatever runs at the same time.
ALTER TABLE "person_organization" ADD CONSTRAINT "person_organization_slot_check" CHECK ("slot" BETWEEN 1 AND 3);

ALTER TABLE "member" ADD CONSTRAINT "member_gender_check" CHECK ("gender" IN ('Male', 'Female', 'Others'));
ALTER TABLE "tag" ADD CONSTRAINT "tag_source_check" CHECK ("source" IN ('admin', 'system', 'ai'));
ALTER TABLE "tag" ADD CONSTRAINT "tag_privacy_check" CHECK ("privacy" IN ('public', 'private'));
ALTER TABLE "form_field" ADD CONSTRAINT "form_field_field_type_check" CHECK ("field_type" IN (
    'short_answer', 'paragraph', 'number', 'email', 'dropdown', 'multiple_choice', 'single_choice',
    'phone_number', 'date', 'time', 'scale', 'contact', 'payment', 'file_upload'));
ALTER TABLE "cursor_secret" ADD CONSTRAINT "cursor_secret_single_check" CHECK ("id" = 1);

-- Made here so that every instance signs cursors alike.
INSERT INTO "cursor_secret" ("id", "secret")
VALUES (1, sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));
