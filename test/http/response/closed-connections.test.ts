import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Abort } from '../../../src/domain/core/context.ts';
import { createHttpServer, listen } from '../../../src/server/http-server.ts';
import type { Database, DatabaseRequest } from '../../../src/store/database.ts';
import { appOn } from '../../support/apps.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  /** An app whose reads of events never end; `stuck` resolves with the request that reads them. */
  function stuckApp() {
    const { db } = service.store;
    let reached: (request: DatabaseRequest) => void;
    const stuck = new Promise<DatabaseRequest>((resolve) => {
      reached = resolve;
    });
    const stuckFor = (request: DatabaseRequest): Database => ({
      ...db,
      rows: (statement) => {
        if (!/FROM event e/.test(statement.text)) return db.rows(statement);
        return new Promise((_, reject) => {
          request.abort?.addListener(() => reject(request.abort?.reason));
          reached(request);
        });
      },
    });
    return { app: appOn(service, { db: { ...db, forRequest: stuckFor } }), stuck };
  }

  const closing: (() => Promise<unknown>)[] = [];
  afterAll(() => Promise.all(closing.map((close) => close())));
  let key: string;
  let id: string;
  beforeAll(async () => {
    ({ key, id } = await service.organization());
  });

  async function ask(path: string, body?: string) {
    const { app, stuck } = stuckApp();
    const server = createHttpServer(app);
    const address = await listen(server, 0, '127.0.0.1');
    closing.push(async () => server.close());
    const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
    const asked = request(`${address}${path}`, { method: body ? 'POST' : 'GET', headers });
    asked.on('error', () => {});
    asked.end(body);
    return { asked, database: await stuck };
  }

  const aborted = (abort: Abort) => new Promise<void>((resolve) => abort.addListener(resolve));

  it.each([
    ['REST', '/v1/events', undefined],
    ['GraphQL', '/graphql', JSON.stringify({ query: '{ events { edges { cursor } } }' })],
  ])('cancels the reads of a request when the client closes its connection: %s', async (_, path, body) => {
    const { asked, database } = await ask(path, body);
    expect(database.organizationId).toBe(id);
    const abort = database.abort as Abort;
    expect(abort.reason).toBeUndefined();
    const given = aborted(abort);
    asked.destroy();
    await given;
    expect(abort.reason).toMatchObject({ code: 'unavailable', message: 'The client closed its connection' });
  });
});
