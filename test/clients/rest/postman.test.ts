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
  readonly request: { readonly header: readonly Header[] };
  readonly response?: { readonly code: number; readonly header: readonly Header[] };
}

interface Header {
  readonly key: string;
  readonly value: string;
}

/** The outcome of a request. */
interface Outcome {
  readonly status: number | undefined;
  readonly isPreflight: boolean;
}

/**
 * Creates a collection from the description and sends its requests, expecting no violations reported by Prism. @returns
 * the outcome of each request by name.
 */
async function run(name: string, options: string[], baseUrl: string): Promise<Map<string, Outcome>> {
  await mkdir(join(WORKSPACE, 'generated/postman'), { recursive: true });
  const [collection, report] = [`generated/postman/${name}.json`, `generated/postman/${name}-report.json`];
  await tool('openapi2postmanv2', '--spec', DESCRIPTION, '--output', collection, ...options);
  const variables = { baseUrl, apiKey: inject('key') };
  await tool(
    'newman',
    'run',
    collection,
    '--reporters',
    'json',
    '--reporter-json-export',
    report,
    ...Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
  );
  const { run } = JSON.parse(await readFile(join(WORKSPACE, report), 'utf8')) as { run: { executions: Execution[] } };
  const violations = run.executions.flatMap(({ response }) =>
    response?.header.filter(({ key }) => key === 'sl-violations'),
  );
  expect(violations).toEqual([]);
  return new Map(
    run.executions.map(({ item, request, response }) => {
      const isPreflight = request.header.some(({ key, value }) => key === 'Preflight' && value === 'true');
      return [item.name, { status: response?.code, isPreflight }];
    }),
  );
}

it('sends the examples of the description, and each succeeds', async () => {
  const options = ['--options', 'folderStrategy=Tags,parametersResolution=Example,enableOptionalParameters=false'];
  const outcomes = await run('examples', options, inject('prism'));
  const statuses = new Map([...outcomes].map(([name, { status }]) => [name, status]));
  const successes = [...described].map(([name, codes]) => [name, codes.find((code) => code < 300)] as const);
  expect(statuses).toEqual(new Map(successes));
});

it('sends the placeholders of the import, and receives only documented statuses', async () => {
  const outcomes = await run('placeholders', [], `${inject('address')}/v1`);
  expect(new Set(outcomes.keys())).toEqual(new Set(described.keys()));
  for (const [name, { status, isPreflight }] of outcomes) {
    // The import chooses a random value for the Preflight header; a preflight always returns 200.
    const expected = [...(described.get(name) ?? []), ...(isPreflight ? [200] : [])];
    expect(expected, `${name}: ${status}`).toContain(status);
  }
});
