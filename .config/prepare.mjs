// Builds the service after `npm ci`, or says in one sentence which packages the build needs.
import { spawnSync } from 'node:child_process';

// `npx cms` links this folder into a cache, and runs this script for it. The service is built already.
if (process.env.npm_command === 'exec') process.exit(0);

const missing = ['typescript', 'vite', 'prisma/config'].filter((name) => {
  try {
    import.meta.resolve(name);
    return false;
  } catch {
    return true;
  }
});
if (missing.length > 0) {
  process.stderr.write('Building the service needs its development dependencies; run: npm ci --include=dev\n');
  process.exit(1);
}
process.exit(spawnSync('npm run --silent build', { shell: true, stdio: 'inherit' }).status ?? 1);
