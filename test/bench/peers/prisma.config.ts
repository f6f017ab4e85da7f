import { defineConfig } from 'prisma/config';

// `prisma generate` needs no engine, but downloads one unless a file is configured.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: 'prisma/schema.prisma' });
