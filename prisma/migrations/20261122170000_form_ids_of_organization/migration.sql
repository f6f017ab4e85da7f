-- The greatest ids that forms and form fields of an organization were given: one sequence for all organizations told each
-- of them how many the others make. Ids that exist stay, and new ones follow them.
-- AlterTable
ALTER TABLE "organization" ADD COLUMN     "last_form_field_id" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "last_form_id" INTEGER NOT NULL DEFAULT 0;
