-- Null until an invited administrator sets one.
-- AlterTable
ALTER TABLE "administrator" ALTER COLUMN "password_hash" DROP NOT NULL;

-- CreateTable
CREATE TABLE "operator" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "password_hash" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "operator_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "operator_is_one" CHECK ("id" = 1)
);

-- CreateTable
CREATE TABLE "password_link" (
    "token_hash" BYTEA NOT NULL,
    "administrator_id" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "password_link_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE INDEX "password_link_administrator_id_idx" ON "password_link"("administrator_id");

-- CreateIndex
CREATE INDEX "password_link_expires_at_idx" ON "password_link"("expires_at");

-- AddForeignKey
ALTER TABLE "password_link" ADD CONSTRAINT "password_link_administrator_id_fkey" FOREIGN KEY ("administrator_id") REFERENCES "administrator"("id") ON DELETE CASCADE ON UPDATE CASCADE;
