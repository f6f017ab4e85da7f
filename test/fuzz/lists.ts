import { sql } from '../../src/store/sql.ts';
import { compareList } from '../apis/lists/compare.ts';
import { DATED_LISTS, randomDated } from '../apis/lists/dated-list.ts';
import type { ModeledList, RecordModel } from '../apis/lists/list-model.ts';
import { randomMembers } from '../apis/lists/member-list.ts';
import { appOn } from '../support/apps.ts';
import { client } from '../support/client.ts';
import {
  createOrganizationWithKeys,
  print,
  randomTestCommand,
  wholeNumber,
  withStore,
} from '../support/load/harness.ts';

const { members, dated, combinations, only, databaseUrl, seed } = randomTestCommand(
  'test:lists',
  'Compares random filters, orders and counts of the lists of both APIs with a computation in memory, while records are added.',
)
  .option('--members <number>', 'the number of members', wholeNumber, 20_000)
  .option('--dated <number>', 'the number of events, and of services', wholeNumber, 5_000)
  .option('--combinations <number>', 'the number of filters and orders for each list', wholeNumber, 2_000)
  .option('--only <list>', 'events, services or members')
  .parse()
  .opts<{
    members: number;
    dated: number;
    combinations: number;
    only?: string;
    databaseUrl?: string;
    seed: number;
  }>();
const started = Date.now();
const log = (text: string) => print(`${Math.round((Date.now() - started) / 1_000)} s: ${text}`);

await withStore(databaseUrl, async (store) => {
  const app = appOn({ store }, {});
  const { id, key } = await createOrganizationWithKeys(store, 'Lists');
  const organization = { id, key, ...client(app, key) };
  const compare = async <Model extends RecordModel>(list: ModeledList<Model>): Promise<void> => {
    // As autovacuum would: without it, PostgreSQL prefers to read and sort whole tables for each page.
    await store.db.rows(sql`VACUUM (ANALYZE)`);
    log(`seed ${seed}, ${list.models.length} ${list.name}`);
    const onProgress = (done: number) => {
      if (done % 100 === 0) log(`${done} of ${combinations} combinations`);
    };
    const options = { combinations, seed, isAddedTo: true, onProgress };
    const result = await compareList({ app }, organization, list, options);
    const { difference, ...compared } = result;
    log(
      `seed ${seed}, ${list.name}: ${JSON.stringify(compared)}, ${difference ? `a difference:\n${difference}` : 'no difference'}`,
    );
    if (difference) process.exitCode = 1;
  };
  const isCompared = (name: string) => only === undefined || only === name;
  for (const name of DATED_LISTS.filter(isCompared)) {
    await compare(await randomDated({ store }, organization, name, dated, seed));
  }
  if (isCompared('members')) await compare(await randomMembers({ store }, organization, members, seed));
});
