import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { revokeApiKey } from '../../../src/domain/admin/api-key.ts';
import { runCli } from '../../support/processes/cli.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  let server: Server;
  let args: readonly string[];
  beforeAll(async () => {
    server = createServer(getRequestListener((request) => service.app.fetch(request)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    args = ['--url', `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
  });
  afterAll(() => server.close());

  it('prints the effects of a REST request, and fails if it would be rejected', async () => {
    const { key } = await service.organization({ scopes: ['members.view', 'tags.view'] });
    const ran = await runCli({ CMS_API_KEY: key }, 'preflight', 'GET /v1/members?limit=5&tag_id=tag_x', ...args);
    expect(ran).toMatchObject({ code: 1, err: '' });
    expect(ran.out).toContain('Refused: invalid_request: tag_id: ');
    const allowed = await runCli({ CMS_API_KEY: key }, 'preflight', 'GET /v1/members?limit=5', ...args);
    expect(allowed.code).toBe(0);
    expect(allowed.out).toMatch(
      /^Cost: 1 point\nScopes: members.view\nRecords: at most 5\nRate limit: \d+ of \d+ points left\nIn GraphQL:\nquery \(\$first: Int\)/,
    );
  });

  it('prints the effects of a GraphQL operation, and its JSON with --json', async () => {
    const { key } = await service.organization({ scopes: ['members.view'] });
    const recipe = ['preflight', 'docs/cookbook/directory.graphql', '--variables', '{ "first": 2 }', ...args];
    const { code, out } = await runCli({ CMS_API_KEY: key }, ...recipe);
    expect(code).toBe(1);
    expect(out).toContain(
      'Cost: 3 points\nScopes: members.view, tags.view (missing: tags.view)\nRecords: not known beforehand\n',
    );
    expect(out).toContain('In REST:\n  GET /v1/members?limit=2&order_by=name&count=true\n');
    expect((await runCli({ CMS_API_KEY: key }, ...recipe, '--json')).json.extensions.preflight.cost).toBe(3);
  });

  it('sends the whole query string, and the path of the address', async () => {
    const { key } = await service.organization({ scopes: ['members.view'] });
    const spaced = await runCli({ CMS_API_KEY: key }, 'preflight', 'GET /v1/members?q=Mary Ann', ...args, '--json');
    expect(spaced.json.preflight.graphql.variables.search).toBe('Mary Ann');
    const [option, address] = args as [string, string];
    const below = await runCli({ CMS_API_KEY: key }, 'preflight', 'GET /members', option, `${address}/v1/`);
    expect(below.out).toContain('Scopes: members.view\n');
  });

  it('does not follow a redirect, which could lead to another host with the key', async () => {
    const redirecting = createServer((request, response) => {
      response.writeHead(307, { Location: `${args[1]}${request.url}` }).end();
    });
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    const { key } = await service.organization();
    const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
    const { code, err } = await runCli({ CMS_API_KEY: key }, 'preflight', 'GET /v1/members', '--url', url);
    redirecting.close();
    expect([code, err]).toEqual([2, `error: --url: redirects to ${args[1]}/v1/members\n`]);
  });

  it.each(['GET //other.test/v1/members', 'GET /\\other.test/v1/members'])(
    '%s does not send the key to another host',
    async (request) => {
      const { code, err } = await runCli({ CMS_API_KEY: 'x' }, 'preflight', request, '--json', ...args);
      // The error of this service.
      expect([code, JSON.parse(err).error.code]).toEqual([1, 'invalid_api_key']);
    },
  );

  it('reports the error of a key that the service does not accept, as for an ordinary request', async () => {
    const { keyId, key, get } = await service.organization({ scopes: ['members.view'] });
    await revokeApiKey(service.store, keyId, 'test');
    const { error } = (await get('/members')).json;
    expect(error.code).toBe('key_revoked');
    for (const request of ['GET /v1/members', 'docs/cookbook/directory.graphql']) {
      const { code, err } = await runCli({ CMS_API_KEY: key }, 'preflight', request, '--json', ...args);
      expect([code, JSON.parse(err)]).toEqual([1, { error }]);
    }
    const { err } = await runCli({ CMS_API_KEY: 'x' }, 'preflight', 'GET /v1/members', ...args);
    expect(err).toBe('error: This API key is not known\n');
  });

  it('reports an unknown path as the service does, and a response of something else by its status', async () => {
    const { key, get } = await service.organization({ scopes: ['members.view'] });
    const { error } = (await get('/member')).json;
    const unknown = await runCli({ CMS_API_KEY: key }, 'preflight', 'GET /v1/member', '--json', ...args);
    expect([unknown.code, JSON.parse(unknown.err)]).toEqual([1, { error }]);
    const page = await runCli({ CMS_API_KEY: key }, 'preflight', 'GET /openapi.json', '--json', ...args);
    expect([page.code, JSON.parse(page.err).error.message]).toEqual([1, 'the service responded with status 200']);
  });

  it('with an empty PORT, sends the request to port 4000', async () => {
    const { out } = await runCli({ PORT: '' }, 'preflight', '--help');
    expect(out).toContain('http://127.0.0.1:4000"');
  });

  it.each([
    [{}, 'GET /v1/members', 'CMS_API_KEY'],
    [{ CMS_API_KEY: 'x\u00e9' }, 'GET /v1/members', 'CMS_API_KEY'],
    [{ CMS_API_KEY: 'x' }, 'no-such-file.graphql', 'request'],
    [{ CMS_API_KEY: 'x' }, 'TRACE /v1/members', 'request'],
  ] as const)('with the environment %o, rejects %s', async (environment, request, field) => {
    const { code, err } = await runCli(environment, 'preflight', request, '--json', ...args);
    expect([code, JSON.parse(err).error.details[0].field]).toEqual([field === 'request' ? 2 : 1, field]);
  });

  it.each([
    ['GET /v1/members', '--variables', '{}'],
    ['GET /v1/members', '--operation', 'Directory'],
    ['docs/cookbook/directory.graphql', '--body', '{}'],
    ['docs/cookbook/directory.graphql', '--variables', '[]'],
    ['docs/cookbook/directory.graphql', '--variables', 'null'],
    ['docs/cookbook/directory.graphql', '--variables', '{'],
  ])('%s with %s %s is refused', async (request, option, value) => {
    const { code, err } = await runCli({ CMS_API_KEY: 'x' }, 'preflight', request, ...args, option, value, '--json');
    expect([code, JSON.parse(err).error.details?.[0].field]).toEqual([2, option]);
  });

  it.each([
    ['--url', 'localhost:4000', '--url'],
    ['--url', 'ftp://127.0.0.1', '--url'],
    ['--body', '{}', 'request'],
  ])('rejects %s %s for a GET request', async (option, value, field) => {
    const others = option === '--url' ? [] : args;
    const { code, err } = await runCli(
      { CMS_API_KEY: 'x' },
      ...['preflight', 'GET /v1/members', '--json', ...others, option, value],
    );
    expect([code, JSON.parse(err).error.details?.[0].field]).toEqual([2, field]);
  });
});
