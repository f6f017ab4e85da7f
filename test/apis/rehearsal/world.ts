import { ALL_SCOPES, type Scope } from '../../../src/domain/core/scopes.ts';
import type { Database } from '../../../src/store/database.ts';
import { appOn, UNCOUNTED } from '../../support/apps.ts';
import { type Answer, client, type TestClient } from '../../support/client.ts';
import { person, times } from '../../support/data.ts';
import { type GraphQLClient, graphql } from '../../support/graphql.ts';
import { recordsOf } from '../../support/records.ts';
import type { TestOrganization, TestService } from '../../support/service.ts';

/** Sends requests with one key to both APIs. */
export interface Sender {
  readonly rest: TestClient;
  readonly gql: GraphQLClient;
}

/** The records that requests refer to. */
export interface World {
  readonly organization: TestOrganization;
  readonly memberId: string;
  readonly takenEmail: string;
  readonly fullPersonEmail: string;
  readonly closedFormId: number;
}

/** How an error is provoked, and the request to rehearse it with. */
export interface Provocation {
  /** The state that causes the error, unless the request itself does. */
  readonly scopes?: readonly Scope[];
  readonly key?: (service: TestService, organization: TestOrganization, keyId: string) => Promise<unknown>;
  readonly sentKey?: string | null;
  readonly options?: Parameters<typeof appOn>[1];
  readonly database?: (db: Database) => Database;
  /** Sends the request; `isReal` is false if it is rehearsed. */
  send(sender: Sender, world: World, isReal: boolean): Promise<Answer>;
}

/** An organization in which every error can be provoked. */
export async function createWorld(service: TestService): Promise<World> {
  const organization = await service.organization();
  const taken = person();
  const { json } = await organization.post('/members', taken);
  const full = person();
  for (const other of await Promise.all(times(3, () => service.organization()))) await other.post('/members', full);
  const form = await recordsOf(service, organization.id).form({ isPublished: false, acceptingResponse: true });
  return {
    organization,
    memberId: json.data.id,
    takenEmail: taken.email_address,
    fullPersonEmail: full.email_address,
    closedFormId: form.id,
  };
}

let addresses = 0;

/** Sends requests with a new key from a new address, with a limit of 3. */
export async function senderOf(
  service: TestService,
  { organization }: World,
  { scopes = ALL_SCOPES, key: change, sentKey, options, database }: Partial<Provocation>,
  createKey: (scopes: readonly Scope[]) => Promise<{ readonly id: string; readonly key: string }>,
  headers: Record<string, string> = {},
): Promise<Sender> {
  const created = await createKey(scopes);
  await change?.(service, organization, created.id);
  const { db } = service.store;
  const app = appOn(service, { limit: 3, trustProxy: 1, keyUsage: UNCOUNTED, db: database?.(db) ?? db, ...options });
  addresses += 1;
  const address = `2001:db8:0:${addresses.toString(16)}::1`;
  const through = {
    fetch: (request: Request) => {
      request.headers.set('X-Forwarded-For', address);
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
      return app.fetch(request);
    },
  };
  const key = sentKey === null ? undefined : (sentKey ?? created.key);
  return { rest: client(through, key), gql: graphql(through, key) };
}
