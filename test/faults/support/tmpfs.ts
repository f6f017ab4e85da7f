import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small separate disk. */
export interface SmallDisk {
  readonly path: string;
  /** Fills the disk, leaving this number of free bytes. */
  fillUpTo(freeBytes: number): void;
  /** Frees the filled space. */
  free(): void;
  /** Makes it read-only or writable; no file may be open for writing. */
  setReadOnly(isReadOnly: boolean): void;
  remove(): void;
}

/** Mounts a disk in memory; undefined if not permitted. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'cms-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    rmdirSync(path);
    return undefined;
  }
  const filler = join(path, 'filler');
  const free = () => rmSync(filler, { force: true });
  return {
    path,
    free,
    setReadOnly(isReadOnly) {
      execFileSync('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, path], { stdio: 'ignore' });
    },
    fillUpTo(freeBytes) {
      free();
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
    },
    remove() {
      // A killed process may still have a file open.
      execFileSync('umount', ['--lazy', path]);
      rmdirSync(path);
    },
  };
}

/** Whether this user may mount a disk. */
export function canMount(): boolean {
  const disk = mountSmallDisk(1);
  disk?.remove();
  return disk !== undefined;
}
