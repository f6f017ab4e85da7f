import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { DESCRIPTION } from '../support/prism.ts';
import { headers } from '../support/service.ts';
import { tool, WORKSPACE } from '../support/tool.ts';

interface Operation {
  readonly summary: string;
  readonly parameters?: { readonly name: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: { 'application/json': { example: object } } };
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

/** newman's JSON report. */
interface Report {
  readonly run: {
    readonly executions: readonly {
      readonly item: { readonly name: string };
      readonly response?: { readonly code: number; readonly header: readonly { readonly key: string }[] };
    }[];
  };
}

/** A request or a folder of a collection. */
interface Item {
  readonly name: string;
  readonly item?: Item[];
  readonly request?: {
    readonly header?: { key: string; disabled?: boolean }[];
    readonly url: { readonly query?: { disabled?: boolean }[]; readonly variable?: { key: string; value: string }[] };
    readonly body?: { raw?: string };
  };
}

/** Creates a collection from the description. @returns its path. */
async function convert(name: string, ...options: string[]): Promise<string> {
  await mkdir(join(WORKSPACE, 'generated/postman'), { recursive: true });
  const collection = `generated/postman/${name}.json`;
  await tool('openapi2postmanv2', '--spec', DESCRIPTION, '--output', collection, ...options);
  return collection;
}

/**
 * Sends the requests of a collection, expecting no violations reported by Prism. @returns the status of each response by
 * the name of its request.
 */
async function run(collection: string, baseUrl: string): Promise<Map<string, number | undefined>> {
  const report = collection.replace('.json', '-report.json');
  const variables = ['--env-var', `baseUrl=${baseUrl}`, '--env-var', `apiKey=${inject('key')}`];
  await tool('newman', 'run', collection, '--reporters', 'json', '--reporter-json-export', report, ...variables);
  const { run } = JSON.parse(await readFile(join(WORKSPACE, report), 'utf8')) as Report;
  const violations = run.executions.flatMap(({ response }) =>
    response?.header.filter(({ key }) => key === 'sl-violations'),
  );
  expect(violations).toEqual([]);
  return new Map(run.executions.map(({ item, response }) => [item.name, response?.code]));
}

/** The documented status of success of each request. */
const successes = new Map([...described].map(([name, codes]) => [name, codes.find((code) => code < 300)]));

/** The requests for single records that can be deleted, as the first collection does. */
const deletable = new Set(
  Object.values(paths).flatMap((path) => ('delete' in path ? Object.values(path).map(({ summary }) => summary) : [])),
);

/** Replaces the placeholders of a collection by examples and `texts`, and deselects all optional parameters. */
async function fillIn(collection: string, texts: Record<string, object>): Promise<void> {
  const path = join(WORKSPACE, collection);
  const content = JSON.parse(await readFile(path, 'utf8')) as Item;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const fill = ({ name, item, request }: Item): void => {
    for (const child of item ?? []) fill(child);
    if (!request) return;
    const { parameters, requestBody } = operations.find(({ summary }) => summary === name) as Operation;
    const optional = (request.header ?? []).filter(({ key }) => /^(If|Idempotency)-/.test(key));
    for (const parameter of [...optional, ...(request.url.query ?? [])]) parameter.disabled = true;
    for (const variable of request.url.variable ?? []) {
      variable.value = String(parameters?.find((parameter) => parameter.name === variable.key)?.example);
    }
    const example = requestBody?.content['application/json'].example;
    if (request.body) request.body.raw = JSON.stringify({ ...example, ...texts[name] });
  };
  fill(content);
  await writeFile(path, JSON.stringify(content));
}

/** The records on the first page of a search. */
async function found(list: string, q: string): Promise<object[]> {
  const response = await fetch(`${inject('address')}/v1/${list}?q=${q}`, { headers });
  return ((await response.json()) as { data: object[] }).data;
}

it('sends the examples of the description, and each succeeds', async () => {
  const options = 'folderStrategy=Tags,parametersResolution=Example,enableOptionalParameters=false';
  expect(await run(await convert('examples', '--options', options), inject('prism'))).toEqual(successes);
  expect(await found('members', 'robin.field@example.org')).toHaveLength(1);
});

it('writes the records that are filled in after an import with the default options', async () => {
  const text = randomUUID();
  const collection = await convert('defaults');
  await fillIn(collection, {
    'Create a member': { email_address: `${text}@example.org` },
    'Submit a prayer request': { title: text },
    'Update a member': { address: text },
  });
  const withoutDeleted = (statuses: typeof successes) => [...statuses].filter(([name]) => !deletable.has(name)).sort();
  expect(withoutDeleted(await run(collection, inject('prism')))).toEqual(withoutDeleted(successes));
  expect(await found('members', text)).toHaveLength(2);
  expect(await found('prayer-requests', text)).toHaveLength(1);
});

it('sends the placeholders of the import, and receives only documented statuses', async () => {
  const statuses = await run(await convert('placeholders'), `${inject('address')}/v1`);
  expect(new Set(statuses.keys())).toEqual(new Set(described.keys()));
  for (const [name, status] of statuses) expect(described.get(name), `${name}: ${status}`).toContain(status);
});
