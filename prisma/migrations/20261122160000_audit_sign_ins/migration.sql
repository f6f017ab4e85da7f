-- Where a sign-in to the developer pages came from; null for all other entries.
-- AlterTable
ALTER TABLE "audit_entry" ADD COLUMN     "client_address" TEXT;
