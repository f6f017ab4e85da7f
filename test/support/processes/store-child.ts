import { sql } from '../../../src/store/sql.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { echoes } from '../servers/echoes.ts';
import { obey } from './child.ts';

let store: Store | undefined;
let commit: () => Promise<unknown> = async () => 'no transaction';
const db = () => (store as Store).db;

await obey({
  async open(dataDirectory = '', join = '') {
    store = await openStore({ dataDirectory, join: join === 'join' });
    return 'open';
  },
  async close() {
    await store?.close();
  },
  /** Stores an organization, and says so only when it is stored. */
  async insert(id = '') {
    await db().rows(sql`INSERT INTO organization (id, name, country) VALUES (${id}, 'Child', 'US')`);
    return 'stored';
  },
  async count(id = '') {
    return (await db().rows(sql`SELECT FROM organization WHERE id = ${id}`)).length;
  },
  /** Stores an organization in a transaction that stays open until `commit`. */
  begin: (id = '') =>
    new Promise((resolve, reject) => {
      const ended = db().transaction(async (transaction) => {
        await transaction.rows(sql`INSERT INTO organization (id, name, country) VALUES (${id}, 'Child', 'US')`);
        resolve('open');
        await new Promise<void>((end) => {
          commit = () => {
            end();
            return ended.then(() => 'stored');
          };
        });
      });
      ended.catch(reject);
    }),
  commit: () => commit(),
  /** Runs statements of all kinds without an end. */
  async hammer() {
    const forever = async (work: () => Promise<unknown>) => {
      for (;;) await work();
    };
    void forever(() => echoes(db(), 'hammer', 5));
    void forever(() => db().transaction((transaction) => transaction.rows(sql`SELECT ${'in'}::text`)));
    void forever(() =>
      db()
        .rows(sql`SELECT 1 / ${0}::int`)
        .catch(() => {}),
    );
    return 'hammering';
  },
  echoes: async (name = '', count = '') => echoes(db(), name, Number(count)),
});
