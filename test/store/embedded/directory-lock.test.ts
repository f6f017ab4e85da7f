import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DirectoryInUseError, lockDirectory } from '../../../src/store/embedded/directory-lock.ts';
import { times } from '../../support/data.ts';
import { type Child, startChild } from '../../support/processes/child.ts';
import { expectWithin } from '../../support/time/pace.ts';

const OPENERS = 8;

let parent: string;
let children: Child[];
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'cms-lock-'));
  children = await Promise.all(times(OPENERS, () => startChild(new URL('./locking-child.mjs', import.meta.url))));
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.kill()));
  await rm(parent, { recursive: true, force: true });
});

const newDirectory = () => mkdtemp(join(parent, 'd-'));
const inUse = (directory: string) => new DirectoryInUseError(directory).message;

/** Lets all children try concurrently. @returns the owner; all others must be refused. */
async function race(directory: string): Promise<Child[]> {
  const answers = await Promise.all(children.map((child) => child.ask('lock', directory)));
  expect(answers.filter((answer) => answer !== 'held' && answer !== inUse(directory))).toEqual([]);
  return children.filter((_, n) => answers[n] === 'held');
}

/** A separate process to kill. */
async function killedHolder(directory: string): Promise<void> {
  const holder = await startChild(new URL('./locking-child.mjs', import.meta.url));
  expect(await holder.ask('lock', directory)).toBe('held');
  await holder.kill();
}

it('gives a directory to exactly one of several concurrent openers, repeatedly', async () => {
  for (const directory of await Promise.all(times(5, newDirectory))) {
    const holders = await race(directory);
    expect(holders).toHaveLength(1);
    await holders[0]?.ask('release');
  }
});

it('creates a missing directory', async () => {
  const directory = join(await newDirectory(), 'not', 'yet');
  const holders = await race(directory);
  expect(holders).toHaveLength(1);
  await holders[0]?.ask('release');
});

it('is passed from one process to the next', async () => {
  const directory = await newDirectory();
  for (const child of children.slice(0, 5)) {
    expect(await child.ask('lock', directory)).toBe('held');
    await child.ask('release');
  }
});

it('rejects a second owner in the same process', async () => {
  const directory = await newDirectory();
  const lock = await lockDirectory(directory);
  await expect(lockDirectory(directory)).rejects.toThrow(DirectoryInUseError);
  await lock.release();
  await (await lockDirectory(directory)).release();
});

it('is available immediately after its owner is killed', async () => {
  const directory = await newDirectory();
  await killedHolder(directory);
  const started = performance.now();
  const lock = await lockDirectory(directory);
  expectWithin(500, performance.now() - started);
  await lock.release();
});

it('is given to exactly one of several concurrent openers after its owner is killed', async () => {
  for (const directory of await Promise.all(times(2, newDirectory))) {
    await killedHolder(directory);
    const holders = await race(directory);
    expect(holders).toHaveLength(1);
    await holders[0]?.ask('release');
  }
});

it('is not taken from a process that is suspended', async () => {
  const directory = await newDirectory();
  const holder = await startChild(new URL('./locking-child.mjs', import.meta.url));
  expect(await holder.ask('lock', directory)).toBe('held');
  process.kill(holder.pid, 'SIGSTOP');
  await expect(lockDirectory(directory)).rejects.toThrow(DirectoryInUseError);
  await holder.kill();
});

it('removes what an ended process left', async () => {
  const directory = await newDirectory();
  await killedHolder(directory);
  await writeFile(join(directory, 'lock.0123456789abcdef'), 'an ordinary file');
  const lock = await lockDirectory(directory);
  expect(await readdir(directory)).toHaveLength(1);
  await lock.release();
  expect(await readdir(directory)).toEqual([]);
});

it('works in a directory with a path longer than a socket address, and leaves no link', async () => {
  const links = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('cms-') && name.length === 10);
  const directory = join(await newDirectory(), 'long'.repeat(50), 'é'.repeat(60));
  const before = await links();
  const lock = await lockDirectory(directory);
  await expect(lockDirectory(directory)).rejects.toThrow(DirectoryInUseError);
  expect(await children[0]?.ask('lock', directory)).toBe(inUse(directory));
  await lock.release();
  expect(await links()).toEqual(before);
  expect(await children[0]?.ask('lock', directory)).toBe('held');
  await children[0]?.ask('release');
});

it('is not released by connections to its socket', async () => {
  const directory = await newDirectory();
  const lock = await lockDirectory(directory);
  const refusals = await Promise.allSettled(times(20, () => lockDirectory(directory)));
  expect(refusals.map(({ status }) => status)).toEqual(times(20, () => 'rejected'));
  expect(await race(directory)).toEqual([]);
  await lock.release();
});
