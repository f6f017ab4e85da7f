import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backUp, restore } from '../../src/backup/backup.ts';
import type { Contents } from '../../src/backup/dump.ts';
import { TABLES } from '../../src/backup/tables.ts';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import { openStore } from '../../src/store/store.ts';
import { manyOf } from '../support/many.ts';
import { createDatabases, type Databases } from '../support/servers/databases.ts';
import { fill, holdingsOf } from '../support/servers/full-store.ts';
import { hasServers, type OwnServer, ownPostgresql, untilAnswers } from '../support/servers/own-servers.ts';
import type { TestService } from '../support/service.ts';
import { cms, temporaryDirectory } from './support/instance.ts';
import { type Found, foundInDirectory, foundOnServer, killWhen, type Reached } from './support/interrupted.ts';

const MEMBERS = 1_000;

/** Progress lines: each table is copied, then compared; the last line is printed with the result. */
const TABLES_DONE = 2 * TABLES.length - 1;

/** When to kill: before the first table, during every few tables, after the last one, and after the commit. */
const MOMENTS: readonly (readonly [string, (reached: Reached) => boolean])[] = [
  ['on start', () => true],
  ...[0, 4, 7, 9, 13, 19, 24, 28, 33, 37].map(
    (done) => [`after ${done + 1} of ${TABLES_DONE} tables`, ({ tables }: Reached) => tables > done] as const,
  ),
  ['on its result', ({ answered }) => answered],
];

/** Two commands and two checks for each kill: half a minute on a busy machine. */
const MAX_MS = MOMENTS.length * 4 * 30_000;

/** The target of a copy, new for each kill. */
interface Target {
  /** The command with all its arguments. */
  readonly words: readonly string[];
  readonly environment: Record<string, string>;
  found(): Promise<Found>;
  remove(): void;
}

describe(`a copying command, killed with SIGKILL at ${MOMENTS.length} points`, () => {
  const source = temporaryDirectory();
  const file = join(source, 'backup.gz');
  let contents: Contents;
  /** The same after a restore, which raises the counters of organizations. */
  let restored: Contents;

  beforeAll(async () => {
    const store = await openStore({ dataDirectory: source });
    await fill({ store, dataDirectory: source });
    const { id } = await createOrganization(store, { name: 'Many', country: 'US' }, 'test');
    await manyOf({ store } as TestService, id).members(MEMBERS);
    await backUp(store.pool, file);
    contents = await holdingsOf(store.pool);
    await store.close();
    const dataDirectory = temporaryDirectory();
    const copy = await openStore({ dataDirectory });
    await restore(copy.pool, file);
    restored = await holdingsOf(copy.pool);
    await copy.close();
    rmSync(dataDirectory, { recursive: true, force: true });
  });
  afterAll(() => rmSync(source, { recursive: true, force: true }));

  const digest = () => createHash('sha256').update(readFileSync(file)).digest('hex');

  /** Kills the command and checks the target, then repeats it and expects an equal copy. */
  async function killRepeatedly(what: string, copied: () => Contents, fresh: () => Promise<Target>): Promise<void> {
    const outcomes: string[] = [];
    const before = digest();
    for (const [moment, enough] of MOMENTS) {
      const target = await fresh();
      const { environment, words } = target;
      const { killed } = await killWhen(enough, environment, ...words);
      const left = await target.found();
      if (left === 'nothing') {
        expect(cms(environment, ...words).tables, moment).toEqual(contents.tables);
      } else {
        expect(() => cms(environment, ...words), moment).toThrow(/already has organizations/);
      }
      expect(await target.found(), moment).toEqual(copied());
      target.remove();
      outcomes.push(
        `${moment}: ${killed ? 'killed' : 'ended before'}, ${left === 'nothing' ? 'nothing' : 'all'} there`,
      );
    }
    expect(digest()).toBe(before);
    process.stdout.write(`${what}\n${outcomes.map((outcome) => `  ${outcome}\n`).join('')}`);
    expect(outcomes.filter((outcome) => outcome.includes('nothing there')).length).toBeGreaterThanOrEqual(10);
  }

  it(
    'restores a data directory completely or not at all, and completely when repeated',
    async () => {
      await killRepeatedly(
        'restore into a data directory',
        () => restored,
        async () => {
          const dataDirectory = temporaryDirectory();
          return {
            words: ['restore', file],
            environment: { DATA_DIR: dataDirectory },
            found: () => foundInDirectory(dataDirectory),
            remove: () => rmSync(dataDirectory, { recursive: true, force: true }),
          };
        },
      );
    },
    MAX_MS,
  );

  describe.skipIf(!hasServers)('on PostgreSQL', () => {
    let postgresql: OwnServer;
    let databases: Databases;
    beforeAll(async () => {
      postgresql = await ownPostgresql();
      await postgresql.start();
      await untilAnswers(postgresql.url);
      databases = createDatabases(postgresql.url);
    });
    afterAll(async () => {
      await databases?.drop();
      await postgresql?.remove();
    });

    async function database(): Promise<{ readonly url: string; found(): Promise<Found>; remove(): void }> {
      const url = databases.urlOf(await databases.create());
      return { url, found: () => foundOnServer(url), remove: () => {} };
    }

    it(
      'restores a database completely or not at all, and completely when repeated',
      async () => {
        await killRepeatedly(
          'restore into PostgreSQL',
          () => restored,
          async () => {
            const { url, ...target } = await database();
            return { ...target, words: ['restore', file], environment: { DATABASE_URL: url } };
          },
        );
      },
      MAX_MS,
    );

    it(
      'moves completely or not at all without changing the source, and completely when repeated',
      async () => {
        await killRepeatedly(
          'move to PostgreSQL',
          () => contents,
          async () => {
            const { url, ...target } = await database();
            return { ...target, words: ['move', '--to', url], environment: { DATA_DIR: source } };
          },
        );
        expect(await foundInDirectory(source)).toEqual(contents);
      },
      MAX_MS,
    );
  });
});
