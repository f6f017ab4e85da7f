// Writes the file in which vitest looks for its configuration, so that `npx vitest run FILE` works. It is not in the
// repository, whose top level has no other configuration than that of npm and TypeScript.
import { writeFileSync } from 'node:fs';

writeFileSync(new URL('../vitest.config.js', import.meta.url), "export { default } from './.config/vitest.ts';\n");
