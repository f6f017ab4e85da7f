-- AlterTable
ALTER TABLE "api_key" ADD COLUMN "description" TEXT;
