-- Forms and form fields are numbered in each organization by itself; nothing asks the sequences of all organizations.
-- AlterTable
ALTER TABLE "form" ALTER COLUMN "id" DROP DEFAULT;
DROP SEQUENCE "form_id_seq";

-- AlterTable
ALTER TABLE "form_field" ALTER COLUMN "id" DROP DEFAULT;
DROP SEQUENCE "form_field_id_seq";
