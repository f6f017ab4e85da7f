// Writes the files of a migrated database without records to dist/empty-database.tar.gz. The first start copies them.
import { writeFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { applyPendingMigrations } from '../dist/store/migrations/migrate.js';

const pglite = await PGlite.create({ extensions: { pg_trgm, btree_gin } });
await pglite.transaction((transaction) =>
  applyPendingMigrations(async (text, values) =>
    values ? (await transaction.query(text, values)).rows : ((await transaction.exec(text)).at(-1)?.rows ?? []),
  ),
);
// Each installation gets its own, see `createSecrets`.
await pglite.exec('DELETE FROM cursor_secret; DELETE FROM change_feed');
await pglite.exec('CHECKPOINT');
const archive = await pglite.dumpDataDir('gzip');
await writeFile(new URL('../dist/empty-database.tar.gz', import.meta.url), Buffer.from(await archive.arrayBuffer()));
await pglite.close();
