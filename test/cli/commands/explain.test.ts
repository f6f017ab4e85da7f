import { beforeEach, expect, it } from 'vitest';
import { served } from '../../docs/examples/running.ts';
import { runCli } from '../../support/processes/cli.ts';
import { onOneStore } from '../../support/service.ts';

const RECIPE = 'docs/cookbook/directory.graphql';

onOneStore((service) => {
  let address: string;
  beforeEach(async () => {
    address = await served((request) => service.app.fetch(request));
  });

  it('prints what an operation costs, and its JSON with --json; fails if the key lacks a scope', async () => {
    const { key } = await service.organization({ scopes: ['members.view'] });
    const recipe = ['explain', RECIPE, '--variables', '{ "first": 2 }', '--url', address];
    const { code, out } = await runCli({ CMS_API_KEY: key }, ...recipe);
    expect(code).toBe(1);
    expect(out).toContain(
      'Cost: 3 points\nScopes: members.view, tags.view (missing: tags.view)\nRecords: at most 2 members, plus their tags\nRate limit: ',
    );
    expect(out).toContain('In REST:\n  GET /v1/members?limit=2&order_by=name&count=true\n');
    expect((await runCli({ CMS_API_KEY: key }, ...recipe, '--json')).json.extensions.explain.cost).toBe(3);
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

  it('does not follow a redirect, which could lead to another host with the key', async () => {
    const redirecting = await served((request) => Response.redirect(address + new URL(request.url).pathname, 307));
    const { key } = await service.organization();
    const { code, err } = await runCli({ CMS_API_KEY: key }, 'explain', RECIPE, '--url', redirecting);
    expect([code, err]).toEqual([2, `error: --url: redirects to ${address}/graphql\n`]);
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
    ['--variables', '{'],
    ['--url', 'ftp://127.0.0.1'],
  ])('rejects %s %s', async (option, value) => {
    const args = ['explain', RECIPE, '--json', option, value];
    const { code, err } = await runCli({ CMS_API_KEY: 'x' }, ...args);
    expect([code, JSON.parse(err).error.details[0].field]).toEqual([2, option]);
  });
});
