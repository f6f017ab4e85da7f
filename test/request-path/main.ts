import { once } from 'node:events';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createHttpServer } from '../../src/server/http-server.ts';
import { importText } from '../import-export/imports.ts';
import { appOn } from '../support/apps.ts';
import { person } from '../support/data.ts';
import { makeKey } from '../support/developer/developer-pages.ts';
import { newAdministrator, OPERATOR_PASSWORD, signedIn } from '../support/developer/visitor.ts';
import { createOrganizationWithKeys, print, testCommand, withStore } from '../support/load/harness.ts';
import { recordsOf } from '../support/records.ts';
import type { TestService } from '../support/service.ts';

const { files } = testCommand(
  'test:path',
  'Counts the source files that a request passes through, from its socket to its statement and back.',
)
  .option('--files', 'name the files')
  .parse()
  .opts<{ files?: true }>();

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));
const session = new Session();
session.connect();

/** The files of `src` with a function that runs during `work`, which has run once before. */
async function filesOf(work: () => Promise<unknown>): Promise<string[]> {
  await work();
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
    .flatMap(({ url }) => (url.startsWith('file:') ? fileURLToPath(url) : []))
    .filter((path) => path.startsWith(SOURCES) && !path.includes('/generated/'))
    .map((path) => path.slice(SOURCES.length))
    .sort();
}

await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

await withStore(undefined, async (store) => {
  const app = appOn({ store }, {});
  const pages = appOn({ store }, { developer: { operatorPassword: OPERATOR_PASSWORD }, trustProxy: 1 });
  const server = createHttpServer({ fetch: app.fetch, rateLimitHeaders: async () => ({}) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const us = await createOrganizationWithKeys(store, 'Us');
  const others = await createOrganizationWithKeys(store, 'Others');
  const send = async (path: string, body?: object, key = us.key) => {
    const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
    const method = body ? 'POST' : 'GET';
    const response = await fetch(base + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(await response.text());
    return response.text();
  };
  const service = { store } as TestService;
  const administrator = await newAdministrator(service);
  // Without the socket: a page refuses forms of other origins, such as the one of this server.
  const own = await signedIn(service, pages, administrator);
  const records = recordsOf(service, us.id);
  const tag = await records.tag();
  const member = JSON.parse(await send('/v1/members', person({ last_name: 'Okafor', tag_ids: [tag.id] }))).data;
  await records.department({}, [member.id]);
  const newcomers = Array.from({ length: 2 }, () => person());
  for (const newcomer of newcomers) await send('/v1/members', newcomer, others.key);
  const ways = {
    'GET /v1/members?q=okafor': () => send('/v1/members?q=okafor'),
    'POST /v1/members that joins a person': () => send('/v1/members', newcomers.pop()),
    'departments { members { tags } }': () =>
      send('/graphql', { query: '{ departments { nodes { members { nodes { tags { name } } } } } }' }),
    'import of members.csv, first row': () =>
      importText(store, us.id, 'members.csv', `First Name,Last Name,Email\nAda,Hill,${person().email_address}\n`),
    'a key created on the developer pages': () =>
      makeKey({ own, place: `/developer/organizations/${administrator.organization_id}` }),
  };
  for (const [name, work] of Object.entries(ways)) {
    const found = await filesOf(work);
    print(`${String(found.length).padStart(3)}  ${name}`);
    if (files) for (const file of found) print(`       ${file}`);
  }
  server.close();
  server.closeAllConnections();
});
session.disconnect();
