-- AlterTable
ALTER TABLE "api_key" ADD COLUMN "rehearsal" BOOLEAN NOT NULL DEFAULT false;
