import { defineConfig } from 'prisma/config';

// `prisma generate` needs no engine, yet asks the network for one unless a file is named.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: 'prisma/schema.prisma' });
