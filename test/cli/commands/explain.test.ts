import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { revokeApiKey } from '../../../src/domain/admin/api-key.ts';
import { runCli } from '../../support/processes/cli.ts';
import { onOneStore } from '../../support/service.ts';

const RECIPE = 'docs/cookbook/directory.graphql';

onOneStore((service) => {
  const servers: Server[] = [];
  const listen = async (server: Server): Promise<string> => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  let address: string;
  beforeAll(async () => {
    address = await listen(createServer(getRequestListener((request) => service.app.fetch(request))));
  });
  afterAll(() => {
    for (const server of servers) server.close();
  });

  it('prints what an operation costs, and its JSON with --json; fails if the key lacks a scope', async () => {
    const { key } = await service.organization({ scopes: ['members.view'] });
    const recipe = ['explain', RECIPE, '--variables', '{ "first": 2 }', '--url', address];
    const { code, out } = await runCli({ CMS_API_KEY: key }, ...recipe);
    expect(code).toBe(1);
    expect(out).toContain(
      'Cost: 3 points\nScopes: members.view, tags.view (missing: tags.view)\nRecords: not known beforehand\nRate limit: ',
    );
    expect(out).toContain('In REST:\n  GET /v1/members?limit=2&order_by=name&count=true\n');
    expect((await runCli({ CMS_API_KEY: key }, ...recipe, '--json')).json.extensions.explain.cost).toBe(3);
  });

  it('succeeds if the key has the scopes', async () => {
    const { key } = await service.organization();
    expect(await runCli({ CMS_API_KEY: key }, 'explain', RECIPE, '--url', address)).toMatchObject({ code: 0, err: '' });
  });

  it('prints the error of an operation that the service rejects', async () => {
    const { key } = await service.organization();
    const args = ['explain', RECIPE, '--operation', 'Other', '--url', address];
    const { code, err } = await runCli({ CMS_API_KEY: key }, ...args);
    expect([code, err]).toEqual([
      1,
      'error: operationName: must be the name of an operation in the query: Directory\n',
    ]);
  });

  it('prints the error of a key that the service does not accept', async () => {
    const { keyId, key } = await service.organization();
    await revokeApiKey(service.store, keyId, 'test');
    const { code, err } = await runCli({ CMS_API_KEY: key }, 'explain', RECIPE, '--json', '--url', address);
    expect([code, JSON.parse(err).error.code]).toEqual([1, 'key_revoked']);
  });

  it('does not follow a redirect, which could lead to another host with the key', async () => {
    const redirecting = await listen(
      createServer((request, response) => {
        response.writeHead(307, { Location: `${address}${request.url}` }).end();
      }),
    );
    const { key } = await service.organization();
    const { code, err } = await runCli({ CMS_API_KEY: key }, 'explain', RECIPE, '--url', redirecting);
    expect([code, err]).toEqual([2, `error: --url: redirects to ${address}/graphql\n`]);
  });

  it('reports a response of something else by its status', async () => {
    const other = await listen(createServer((_request, response) => response.end('hello')));
    const { code, err } = await runCli({ CMS_API_KEY: 'x' }, 'explain', RECIPE, '--url', other);
    expect([code, err]).toEqual([1, 'error: the service responded with status 200\n']);
  });

  it('with an empty PORT, sends the request to port 4000', async () => {
    const { out } = await runCli({ PORT: '' }, 'explain', '--help');
    expect(out).toContain('http://127.0.0.1:4000"');
  });

  it.each([
    [{}, RECIPE, 'CMS_API_KEY', 1],
    [{ CMS_API_KEY: 'x\u00e9' }, RECIPE, 'CMS_API_KEY', 1],
    [{ CMS_API_KEY: 'x' }, 'no-such-file.graphql', 'file', 2],
  ] as const)('with the environment %o, rejects %s', async (environment, file, field, expected) => {
    const { code, err } = await runCli(environment, 'explain', file, '--json', '--url', address);
    expect([code, JSON.parse(err).error.details[0].field]).toEqual([expected, field]);
  });

  it.each([
    ['--variables', '[]'],
    ['--variables', 'null'],
    ['--variables', '{'],
    ['--url', 'localhost:4000'],
    ['--url', 'ftp://127.0.0.1'],
  ])('rejects %s %s', async (option, value) => {
    const args = ['explain', RECIPE, '--json', option, value];
    const { code, err } = await runCli({ CMS_API_KEY: 'x' }, ...args);
    expect([code, JSON.parse(err).error.details[0].field]).toEqual([2, option]);
  });
});
