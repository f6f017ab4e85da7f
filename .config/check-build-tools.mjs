// Ends `npm ci` with one sentence if the packages that the build needs are not installed.
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
