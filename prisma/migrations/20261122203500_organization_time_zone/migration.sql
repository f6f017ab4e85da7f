-- An IANA name.
-- AlterTable
ALTER TABLE "organization" ADD COLUMN "time_zone" TEXT NOT NULL DEFAULT 'UTC';
