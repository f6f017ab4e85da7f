import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { Pool } from 'pg';

const require = createRequire(import.meta.url);

/** The part of `WebAssembly` used here, which TypeScript declares only in its DOM types. */
declare const WebAssembly: {
  instantiate(bytes: Buffer, imports: object): Promise<{ instance: { exports: Record<string, () => void> } }>;
};

/**
 * The SQL that creates the schema of `prisma/schema.prisma` in an empty database.
 *
 * Runs Prisma's own schema engine as WebAssembly, so that it needs no download.
 *
 * @param pool any PostgreSQL; the engine only queries its version.
 */
export async function sqlOfSchema(schema: string, pool: Pool): Promise<string> {
  const engine = await startEngine(schema, pool);
  const { stdout } = await engine.diff({
    from: { tag: 'empty' },
    to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: schema }] },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return stdout ?? '';
}

async function startEngine(schema: string, pool: Pool) {
  const background = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = await readFile(
    require.resolve('@prisma/schema-engine-wasm').replace('schema_engine.js', 'schema_engine_bg.wasm'),
  );
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': background });
  background.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start?.();
  const factory = new PrismaPg(pool) as unknown as SqlMigrationAwareDriverAdapterFactory;
  return background.SchemaEngine.new(
    { datamodels: [['schema.prisma', schema]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(factory),
  );
}
