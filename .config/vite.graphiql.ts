import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (relative: string) => fileURLToPath(new URL(`../${relative}`, import.meta.url));

/** GraphiQL and its workers, as files that are served under one path: `dist/graphiql`. */
export default defineConfig({
  root: path('src/graphql/graphiql/browser'),
  base: './',
  logLevel: 'error',
  build: {
    outDir: path('dist/graphiql'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 10_000,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    license: { fileName: 'licences.json' },
    rolldownOptions: {
      input: path('src/graphql/graphiql/browser/main.tsx'),
      output: { entryFileNames: 'start.js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' },
    },
  },
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: 'worker-[name].js' } } },
});
