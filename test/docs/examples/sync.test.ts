import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { appOn } from '../../support/apps.ts';
import { person } from '../../support/data.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { temporaryStores } from '../../support/stores/directories.ts';
import { eventually } from '../../support/time/eventually.ts';
import { runExample, served, startExample } from './running.ts';

interface Copy {
  cursor: string;
  readonly records: Record<string, { firstName?: string }>;
}

const { folder } = temporaryStores();

onOneStore((service) => {
  let organization: TestOrganization;
  let file: string;
  /** The cursor of each request that reached the service. */
  let cursors: unknown[];

  beforeEach(async () => {
    organization = await service.organization();
    file = join(await folder(), 'copy.json');
    cursors = [];
  });

  /** The service, which sends another response instead if `replaced` returns one. */
  const upstream = (replaced: (count: number) => Response | undefined = () => undefined) => {
    let count = 0;
    return served(async (request) => {
      const response = replaced(++count);
      if (response) return response;
      cursors.push((await request.clone().json()).variables.after ?? null);
      return service.app.fetch(request);
    });
  };
  const sync = (url: string) => runExample('sync.js', { API_URL: url, API_KEY: organization.key, COPY: file });
  const readCopy = async (): Promise<Copy> => JSON.parse(await readFile(file, 'utf8'));
  const createMembers = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    while (ids.length < count) ids.push((await organization.post('/members', person())).json.data.id);
    return ids;
  };

  it('copies all records, and in the next run only the changes', async () => {
    const [id = '', ...others] = await createMembers(101);
    const url = await upstream();
    expect(await sync(url)).toMatchObject({ code: 0, err: '', out: '101 records\n' });
    expect(Object.keys((await readCopy()).records).sort()).toEqual([id, ...others].sort());
    const { cursor } = await readCopy();
    await organization.patch(`/members/${id}`, { first_name: 'Nora' });
    expect(await sync(url)).toMatchObject({ code: 0, err: '' });
    expect((await readCopy()).records[id]?.firstName).toBe('Nora');
    expect(cursors).toHaveLength(3);
    expect(cursors.at(-1)).toBe(cursor);
  });

  it('continues after the last stored page if it was stopped', async () => {
    await createMembers(101);
    const stopped = await sync(
      await upstream((count) => (count === 2 ? new Response('Bad gateway', { status: 502 }) : undefined)),
    );
    expect(stopped.code).toBe(1);
    const { cursor, records } = await readCopy();
    expect(Object.keys(records)).toHaveLength(100);
    expect(await sync(await upstream())).toMatchObject({ code: 0, err: '', out: '101 records\n' });
    expect(cursors).toEqual([null, cursor]);
  });

  it.each([
    ['as long as the rate limit says', '1'],
    ['a second if a proxy sends a date', 'Wed, 21 Oct 2015 07:28:00 GMT'],
  ])('waits %s', async (_, retryAfter) => {
    await createMembers(1);
    const headers = { 'Retry-After': retryAfter };
    const refusal = { errors: [{ message: 'Too many requests', extensions: { code: 'rate_limited' } }] };
    const started = performance.now();
    const url = await upstream((count) => (count === 1 ? Response.json(refusal, { status: 429, headers }) : undefined));
    expect(await sync(url)).toMatchObject({ code: 0, err: '', out: '1 records\n' });
    expect(performance.now() - started).toBeGreaterThan(1000);
  });

  it('waits for further changes with FOLLOW=on', async () => {
    await createMembers(1);
    const app = service.appWith({ changes: { intervalMs: 20 } });
    const url = await served((request) => app.fetch(request));
    startExample('sync.js', { API_URL: url, API_KEY: organization.key, COPY: file, FOLLOW: 'on' });
    await eventually(async () => expect(Object.keys((await readCopy()).records)).toHaveLength(1));
    const [id = ''] = await createMembers(1);
    await eventually(async () => expect(Object.keys((await readCopy()).records)).toContain(id));
  });

  it('continues with FOLLOW=on after a proxy has answered 502 instead of the service', async () => {
    const [id = ''] = await createMembers(1);
    let sent = 0;
    const url = await served(async (request) =>
      sent++ === 0 ? new Response('<h1>Bad Gateway</h1>', { status: 502 }) : service.app.fetch(request),
    );
    startExample('sync.js', { API_URL: url, API_KEY: organization.key, COPY: file, FOLLOW: 'on' });
    await eventually(async () => expect(Object.keys((await readCopy()).records)).toEqual([id]));
  });

  it.each([
    ['answered early, as while the service stops', undefined],
    ['refused by a proxy that passes on other requests', 502],
  ])('pauses when a request that waits is %s', async (_, status) => {
    const app = appOn(service, { stopping: AbortSignal.abort() });
    const waitedAt: number[] = [];
    const url = await served((request) => {
      if (request.method === 'POST') return app.fetch(request);
      waitedAt.push(performance.now());
      return status ? new Response(null, { status }) : app.fetch(request);
    });
    startExample('sync.js', { API_URL: url, API_KEY: organization.key, COPY: file, FOLLOW: 'on' });
    await eventually(() => expect(waitedAt.length).toBeGreaterThan(1));
    expect((waitedAt[1] as number) - (waitedAt[0] as number)).toBeGreaterThan(900);
  });

  it('starts again when its cursor is refused, and deletes the records that no longer exist', async () => {
    const [id = ''] = await createMembers(1);
    const url = await upstream();
    await sync(url);
    const copy = await readCopy();
    const lost = { ...copy.records, mem_lost: { ...copy.records[id] } };
    await writeFile(file, JSON.stringify({ ...copy, cursor: 'refused', records: lost }));
    expect(await sync(url)).toMatchObject({ code: 0, err: '', out: '1 records\n' });
    expect(Object.keys((await readCopy()).records)).toEqual([id]);
    expect(cursors.slice(1)).toEqual(['refused', null]);
  });
});
