import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { createOrganization } from '../../src/domain/admin/organization.ts';
import { openStore } from '../../src/store/store.ts';
import { compareGraphQLPreflights, compareRestPreflights } from '../apis/preflight/compare.ts';
import { compareRequests } from '../graphql/reference/compare.ts';
import { wholeNumber } from '../support/load/harness.ts';

const program = new Command('test:fuzz')
  .description(
    'Compares the GraphQL API with graphql-js on generated documents of its schema, and preflights of random requests to both APIs with the actual requests.',
  )
  .option('--documents <number>', 'the number of documents', wholeNumber, 10_000)
  .option('--preflights <number>', 'the number of preflights of each API', wholeNumber, 1_000)
  .option('--seed <number>', 'the seed of an earlier run, to repeat it', wholeNumber)
  .option('--database-url <url>', 'an empty PostgreSQL database, instead of a new embedded one')
  .option('--json', 'print the result as JSON')
  .parse();

const {
  documents,
  preflights,
  databaseUrl,
  seed = Math.trunc(Math.random() * 2 ** 31),
  json,
} = program.opts<{
  documents: number;
  preflights: number;
  seed?: number;
  databaseUrl?: string;
  json?: true;
}>();
const dataDirectory = await mkdtemp(join(tmpdir(), 'fuzz-'));
const store = await openStore({ databaseUrl, dataDirectory });
const started = Date.now();
const progressOf = (what: string, total: number) => (done: number) => {
  if (!json && done % 1_000 === 0) console.error(`${done} of ${total} ${what}, ${Date.now() - started} ms`);
};
const newOrganization = async () => (await createOrganization(store, { name: 'Fuzz', country: 'US' }, 'test')).id;
try {
  const compared = {
    ...(await compareRequests({
      service: { store },
      organizationId: await newOrganization(),
      documents,
      seed,
      timeLimitMs: 3_600_000,
      onProgress: progressOf('documents', documents),
    })),
    rest: await compareRestPreflights(
      { store },
      {
        organizationId: await newOrganization(),
        requests: preflights,
        seed,
        onProgress: progressOf('REST preflights', preflights),
      },
    ),
    graphql: await compareGraphQLPreflights(
      { store },
      {
        organizationId: await newOrganization(),
        requests: preflights,
        seed,
        onProgress: progressOf('GraphQL preflights', preflights),
      },
    ),
  };
  const { difference, rest, graphql } = compared;
  const resultOf = (text: string | undefined) => (text ? `a difference:\n${text}` : 'no difference');
  if (json) console.log(JSON.stringify(compared));
  else {
    console.log(`seed ${seed}: ${compared.documents} documents, ${resultOf(difference)}`);
    console.log(`${rest.requests} preflights of REST (${rest.refused} refused), ${resultOf(rest.difference)}`);
    console.log(
      `${graphql.requests} preflights of GraphQL (${graphql.refused} refused), ${resultOf(graphql.difference)}`,
    );
  }
  if (difference || rest.difference || graphql.difference || compared.documents < documents) process.exitCode = 1;
} finally {
  await store.close();
  await rm(dataDirectory, { recursive: true, force: true });
}
