import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { DESCRIPTION } from '../support/prism.ts';
import { tool, WORKSPACE } from '../support/tool.ts';

interface Operation {
  readonly summary: string;
  readonly responses: Record<string, unknown>;
}

const { paths } = JSON.parse(await readFile(DESCRIPTION, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
/** The documented statuses, by the name of a request in the collection. */
const described = new Map(
  Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ summary, responses }) => [summary, Object.keys(responses).map(Number)] as const),
  ),
);

/** A request in newman's JSON report. */
interface Execution {
  readonly item: { readonly name: string };
  readonly response?: { readonly code: number; readonly header: readonly Header[] };
}

interface Header {
  readonly key: string;
  readonly value: string;
}

/**
 * Creates a collection from the description and sends its requests, expecting no violations reported by Prism. @returns
 * the status of each response by the name of its request.
 */
async function run(name: string, options: string[], baseUrl: string): Promise<Map<string, number | undefined>> {
  await mkdir(join(WORKSPACE, 'generated/postman'), { recursive: true });
  const [collection, report] = [`generated/postman/${name}.json`, `generated/postman/${name}-report.json`];
  await tool('openapi2postmanv2', '--spec', DESCRIPTION, '--output', collection, ...options);
  const variables = { baseUrl, apiKey: inject('key') };
  await tool(
    ...(['newman', 'run', collection, '--reporters', 'json', '--reporter-json-export', report] as const),
    ...Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
  );
  const { run } = JSON.parse(await readFile(join(WORKSPACE, report), 'utf8')) as { run: { executions: Execution[] } };
  const violations = run.executions.flatMap(({ response }) =>
    response?.header.filter(({ key }) => key === 'sl-violations'),
  );
  expect(violations).toEqual([]);
  return new Map(run.executions.map(({ item, response }) => [item.name, response?.code]));
}

it('sends the examples of the description, and each succeeds', async () => {
  const options = ['--options', 'folderStrategy=Tags,parametersResolution=Example,enableOptionalParameters=false'];
  const statuses = await run('examples', options, inject('prism'));
  const successes = [...described].map(([name, codes]) => [name, codes.find((code) => code < 300)] as const);
  expect(statuses).toEqual(new Map(successes));
});

it('sends the placeholders of the import, and receives only documented statuses', async () => {
  const statuses = await run('placeholders', [], `${inject('address')}/v1`);
  expect(new Set(statuses.keys())).toEqual(new Set(described.keys()));
  for (const [name, status] of statuses) expect(described.get(name), `${name}: ${status}`).toContain(status);
});
