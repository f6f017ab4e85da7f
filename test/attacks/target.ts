import { rmSync } from 'node:fs';
import { openStore, type Store } from '../../src/store/store.ts';
import { temporaryDirectory } from '../faults/support/instance.ts';
import type { ArgumentValues } from '../graphql/reference/documents.ts';
import { referenceRecords } from '../graphql/reference/records.ts';
import { times } from '../support/data.ts';
import { bodiesByPath } from '../support/derived-records.ts';
import { createOrganizationWithKeys, withStoreOf } from '../support/load/harness.ts';
import { type Observed, startObserved } from '../support/load/observed.ts';
import { manyOf } from '../support/many.ts';
import { recordsOf } from '../support/records.ts';
import type { Surroundings } from '../support/requests/requests.ts';
import { createDatabases } from '../support/servers/databases.ts';
import { isPostgresqlReady } from '../support/servers/postgresql.ts';
import type { TestService } from '../support/service.ts';

/** A process of the service with an organization full of records. */
export interface Target {
  readonly service: Observed;
  /** The database, as environment variables of the service and of the command line. */
  readonly environment: Readonly<Record<string, string>>;
  /** A description of the store. */
  readonly database: string;
  readonly organizationId: string;
  readonly key: string;
  /** Existing ids and other values. */
  readonly surroundings: Surroundings;
  readonly argumentValues: ArgumentValues;
  /** Ends the service and removes its data. */
  remove(): Promise<void>;
}

const SIZE = { members: 1_000, departments: 100, membersOfDepartment: 100, tags: 40, forms: 20, responses: 30 };
const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://root@127.0.0.1:5432/postgres';

/** Starts the service on a new or given empty database, and fills it. */
export async function startTarget(databaseUrl: string | undefined): Promise<Target> {
  const directory = temporaryDirectory();
  const databases =
    databaseUrl === undefined && (await isPostgresqlReady(SERVER)) ? createDatabases(SERVER) : undefined;
  let service: Observed | undefined;
  const remove = async () => {
    await service?.stop();
    await databases?.drop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const url = databases ? databases.urlOf(await databases.create()) : databaseUrl;
    const store = await openStore({ databaseUrl: url, dataDirectory: directory });
    const filled = await fill(store).finally(() => store.close());
    const environment = { DATA_DIR: directory, ...(url === undefined ? {} : { DATABASE_URL: url }) };
    service = await startObserved({
      ...environment,
      RATE_LIMIT_PER_MINUTE: '1000000000',
      GRAPHQL_FEDERATION: 'on',
      OPERATOR_PASSWORD: 'correct horse battery staple',
    });
    const database = url === undefined ? 'the embedded database, because PostgreSQL is unreachable' : 'PostgreSQL';
    return { service, environment, database, ...filled, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Creates organizations of 100 members beside the target, each with this number of keys. @returns their keys. */
export function createOrganizations(
  { environment }: Pick<Target, 'environment'>,
  keyCounts: readonly number[],
): Promise<string[][]> {
  return withStoreOf(environment, async (store) => {
    const created: string[][] = [];
    for (const count of keyCounts) {
      const { id, keys } = await createOrganizationWithKeys(store, 'Beside', count);
      await manyOf({ store } as TestService, id).members(100);
      created.push(keys);
    }
    return created;
  });
}

async function fill(store: Store) {
  const { id, key } = await createOrganizationWithKeys(store, 'Attacked');
  const service = { store } as TestService;
  const many = manyOf(service, id);
  const members = await many.members(SIZE.members);
  const some = (n: number, count: number) => times(count, (i) => members[(n * 37 + i * 13) % SIZE.members] as string);
  const departments = await many.departments(SIZE.departments, (n) => some(n, SIZE.membersOfDepartment));
  const tags = await many.tags(SIZE.tags, (n) => some(n, SIZE.membersOfDepartment));
  const [formId = 0] = await many.forms(SIZE.forms, SIZE.responses);
  const argumentValues = await referenceRecords(service, id);
  const records = recordsOf(service, id);
  const response = await records.formResponse(formId, {});
  const [memberId = '', ...others] = members;
  return {
    organizationId: id,
    key,
    argumentValues,
    surroundings: {
      key,
      // The prayer request is one of the reference records.
      parameters: {
        object_id: memberId,
        form_id: String(formId),
        response_id: response.id,
        'prayer-requests': 'pry_reference',
      },
      bodies: await bodiesByPath(service, id),
      known: [...others.slice(0, 3), ...departments.slice(0, 2), ...tags.slice(0, 2)],
    },
  };
}
