import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Lets all test files create their temporary files in one folder, which is removed when they have ended. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'cms-faults-'));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
