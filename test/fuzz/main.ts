import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import { openStore } from '../../src/store/store.ts';
import { compareRequests } from '../graphql/reference/compare.ts';
import { wholeNumber } from './whole-number.ts';

const program = new Command('test:fuzz')
  .description('Compares the GraphQL API with graphql-js on generated documents of its schema.')
  .option('--documents <number>', 'the number of documents', wholeNumber, 10_000)
  .option('--seed <number>', 'the seed of an earlier run, to repeat it', wholeNumber)
  .option('--database-url <url>', 'an empty PostgreSQL database, instead of a new embedded one')
  .option('--json', 'print the result as JSON')
  .parse();

const {
  documents,
  databaseUrl,
  seed = Math.trunc(Math.random() * 2 ** 31),
  json,
} = program.opts<{ documents: number; seed?: number; databaseUrl?: string; json?: true }>();
const dataDirectory = await mkdtemp(join(tmpdir(), 'fuzz-'));
const store = await openStore({ databaseUrl, dataDirectory });
const started = Date.now();
try {
  const compared = await compareRequests({
    service: { store },
    organizationId: (await createOrganization(store, { name: 'Fuzz', country: 'US' }, 'test')).id,
    documents,
    seed,
    timeLimitMs: 3_600_000,
    onProgress: (done) => {
      if (!json && done % 1_000 === 0) console.error(`${done} of ${documents} documents, ${Date.now() - started} ms`);
    },
  });
  const { difference } = compared;
  if (json) console.log(JSON.stringify(compared));
  else {
    const result = difference ? `a difference:\n${difference}` : 'no difference';
    console.log(`seed ${seed}: ${compared.documents} documents, ${result}`);
  }
  if (difference || compared.documents < documents) process.exitCode = 1;
} finally {
  await store.close();
  await rm(dataDirectory, { recursive: true, force: true });
}
