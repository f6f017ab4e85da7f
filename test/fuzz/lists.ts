import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { createApiKey } from '../../src/domain/admin/api-key.ts';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import { ALL_SCOPES } from '../../src/domain/core/scopes.ts';
import { sql } from '../../src/store/sql.ts';
import { openStore } from '../../src/store/store.ts';
import { compareList } from '../apis/lists/compare.ts';
import { DATED_LISTS, randomDated } from '../apis/lists/dated-list.ts';
import type { ModeledList, RecordModel } from '../apis/lists/list-model.ts';
import { randomMembers } from '../apis/lists/member-list.ts';
import { appOn } from '../support/apps.ts';
import { client } from '../support/client.ts';
import { wholeNumber } from './whole-number.ts';

const program = new Command('test:lists')
  .description(
    'Compares random filters, orders and counts of the lists of both APIs with a computation in memory, while records are added.',
  )
  .option('--members <number>', 'the number of members', wholeNumber, 20_000)
  .option('--dated <number>', 'the number of events, and of services', wholeNumber, 5_000)
  .option('--combinations <number>', 'the number of filters and orders for each list', wholeNumber, 2_000)
  .option('--only <list>', 'events, services or members')
  .option('--unchanged', 'do not add records during the comparison')
  .option('--seed <number>', 'the seed of an earlier run, to repeat it', wholeNumber)
  .option('--database-url <url>', 'an empty PostgreSQL database, instead of a new embedded one')
  .parse();

const {
  members,
  dated,
  combinations,
  only,
  unchanged = false,
  databaseUrl,
  seed = Math.trunc(Math.random() * 2 ** 31),
} = program.opts<{
  members: number;
  dated: number;
  combinations: number;
  only?: string;
  unchanged?: boolean;
  databaseUrl?: string;
  seed?: number;
}>();
const dataDirectory = await mkdtemp(join(tmpdir(), 'lists-'));
const store = await openStore({ databaseUrl, dataDirectory });
const app = appOn({ store }, {});
const started = Date.now();
const log = (text: string) => console.log(`${Math.round((Date.now() - started) / 1_000)} s: ${text}`);
try {
  const { id } = await createOrganization(store, { name: 'Lists', country: 'US' }, 'test');
  const ofKey = { organization_id: id, name: 'Lists', scopes: ALL_SCOPES, expires_in_days: null };
  const { key } = await createApiKey(store, ofKey, 'test');
  const organization = { id, key, ...client(app, key) };
  const compare = async <Model extends RecordModel>(list: ModeledList<Model>): Promise<void> => {
    // As autovacuum would: without it, PostgreSQL prefers to read and sort whole tables for each page.
    await store.db.rows(sql`VACUUM (ANALYZE)`);
    log(`seed ${seed}, ${list.models.length} ${list.name}`);
    const onProgress = (done: number) => {
      if (done % 100 === 0) log(`${done} of ${combinations} combinations`);
    };
    const options = { combinations, seed, isAddedTo: !unchanged, onProgress, onRepeat: log };
    const { difference, ...compared } = await compareList({ app }, organization, list, options);
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
} finally {
  await store.close();
  await rm(dataDirectory, { recursive: true, force: true });
}
