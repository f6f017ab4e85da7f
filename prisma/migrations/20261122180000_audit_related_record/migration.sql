-- The other record that an entry is about: a department's new member, the key that replaces a rotated one.
-- AlterTable
ALTER TABLE "audit_entry" ADD COLUMN     "related_id" TEXT;
