-- AlterTable
ALTER TABLE "api_key" ADD COLUMN "rate_limit" INTEGER;
