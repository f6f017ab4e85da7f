import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DirectoryInUseError, lockDirectory } from '../../../src/store/embedded/directory-lock.ts';
import { times } from '../../support/data.ts';
import { type Child, startChild } from '../../support/processes/child.ts';
import { temporaryStores } from '../../support/stores/directories.ts';

const OPENERS = 4;

const { folder: newDirectory } = temporaryStores();
let children: Child[];
beforeAll(async () => {
  children = await Promise.all(times(OPENERS, () => startChild(new URL('./locking-child.mjs', import.meta.url))));
});
afterAll(() => Promise.all(children.map((child) => child.kill())));

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
  for (const directory of await Promise.all(times(3, async () => join(await newDirectory(), 'new')))) {
    const holders = await race(directory);
    expect(holders).toHaveLength(1);
    await holders[0]?.ask('release');
  }
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

it('is given to a process although another one ends while it is asked', async () => {
  const directory = await newDirectory();
  const ending = createServer((client) => {
    ending.close();
    client.destroy();
  });
  await once(ending.listen(join(directory, 'lock.0000000000000000')), 'listening');
  const lock = await lockDirectory(directory);
  await lock.release();
});

it('is released although a process that has asked does not read the answer', async () => {
  const directory = await newDirectory();
  const lock = await lockDirectory(directory);
  const [name] = (await readdir(directory)) as [string];
  const client = connect({ path: join(directory, name), allowHalfOpen: true });
  await once(client, 'readable');
  await lock.release();
  client.destroy();
});

it('is not released by connections to its socket', async () => {
  const directory = await newDirectory();
  const lock = await lockDirectory(directory);
  const refusals = await Promise.allSettled(times(20, () => lockDirectory(directory)));
  expect(refusals.map(({ status }) => status)).toEqual(times(20, () => 'rejected'));
  expect(await race(directory)).toEqual([]);
  await lock.release();
});
