-- The column is named as in the API and in the output of `cms audit`. Its values and its triggers stay as they are.
ALTER TABLE "audit_entry" RENAME COLUMN "door" TO "channel";
