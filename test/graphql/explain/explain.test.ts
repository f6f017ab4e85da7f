import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { appOn, UNCOUNTED } from '../../support/apps.ts';
import { person, times } from '../../support/data.ts';
import { errorsIn, graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';
import { statementsDuring } from '../../support/stores/statements.ts';

const EXPLAIN = { Explain: 'true' };
const CREATE = 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { member { id } } }';
const newMember = () => ({
  input: { firstName: 'Ada', lastName: 'Berg', emailAddress: person().email_address },
});

onOneStore((service) => {
  it('shows the response of the example in docs/graphql.md', async () => {
    const page = await readFile('docs/graphql.md', 'utf8');
    const section = page.slice(page.indexOf('\n## Explain'), page.indexOf('\n## Errors'));
    const { query } = JSON.parse(/-d '(.*?)'/.exec(section)?.[1] ?? '');
    const documented = JSON.parse(/^```json\n(.*?)^```$/ms.exec(section)?.[1] ?? '');
    const { key } = await service.organization();
    const { status, json } = await graphql(service.app, key)(query, undefined, EXPLAIN);
    expect([status, json.data, json.extensions.explain]).toEqual([200, null, documented.extensions.explain]);
    expect(Object.keys(json.extensions.rateLimit)).toEqual(Object.keys(documented.extensions.rateLimit));
  });

  it.each([
    ['{ viewer { organization { name } } }', 0, 'none'],
    ['{ tags(first: 1) { nodes { id } } a: tags(first: 1) { nodes { id } } }', 2, 'at most 2 tags'],
    [
      '{ departments(first: 2) { nodes { members(first: 5) { nodes { id } } } } prayerRequests(last: 1) { nodes { id } } }',
      13,
      'at most 2 departments, 10 members and 1 prayer request',
    ],
    [
      '{ members(first: 3) { nodes { tags { id } departments { id } } } }',
      null,
      'at most 3 members, plus their tags and departments',
    ],
    [
      `{ node(id: "mem_1") { ... on Member { tags { id } } ... on Form { id } } }`,
      null,
      'at most 1 record, plus their tags',
    ],
  ])('counts the records of %s', async (query, maxRecords, records) => {
    const { key } = await service.organization();
    const { json } = await graphql(service.app, key)(query, undefined, EXPLAIN);
    expect(json.extensions.explain).toMatchObject({ maxRecords, records });
  });

  it('runs no statement except the key lookup', async () => {
    const { key } = await service.organization();
    const ask = graphql(appOn(service, { keyUsage: UNCOUNTED }), key);
    const statements = await statementsDuring(async () => {
      await ask('{ members { totalCount nodes { id tags { id } } } }', undefined, EXPLAIN);
      await ask('{ viewer { organization { name } key { usage { nodes { day } } } } }', undefined, EXPLAIN);
      await ask(CREATE, newMember(), { ...EXPLAIN, 'Idempotency-Key': 'once' });
    });
    expect(statements.filter((text) => !text.includes('FROM api_key k JOIN organization'))).toEqual([]);
  });

  it('costs one point, whatever the operation costs', async () => {
    const { key } = await service.organization();
    const ask = graphql(appOn(service, { limit: 3 }), key);
    const { extensions } = (await ask('{ members { nodes { tags { id } } } }', {}, EXPLAIN)).json;
    expect([extensions.explain.cost, extensions.rateLimit]).toMatchObject([2, { cost: 1, remaining: 2 }]);
  });

  it.each(['1', 'yes', 'true, true', ''])('executes nothing if the header is "%s"', async (value) => {
    const organization = await service.organization();
    const { status, json } = await graphql(service.app, organization.key)(CREATE, newMember(), { Explain: value });
    expect([status, json.errors[0].extensions.details]).toEqual([
      400,
      [{ field: 'Explain', message: 'must be true or false' }],
    ]);
    expect((await organization.get('/members')).json.data).toEqual([]);
  });

  it.each(['false', 'FALSE'])('executes the operation if the header is "%s"', async (value) => {
    const organization = await service.organization();
    await graphql(service.app, organization.key)(CREATE, newMember(), { Explain: value });
    expect((await organization.get('/members')).json.data).toHaveLength(1);
  });

  it.each([
    ['a syntax error', '{', {}],
    ['an unknown field', '{ nothing }', {}],
    ['an invalid variable', 'query ($first: Int!) { tags(first: $first) { nodes { id } } }', { first: 'x' }],
    [
      'too many values',
      '{ members(first: 100) { nodes { departments { members(first: 100) { nodes { id } } } } } }',
      {},
    ],
  ])('has the same errors as without the header for %s', async (_, query, variables) => {
    const { key } = await service.organization();
    const ask = graphql(service.app, key);
    const [explained, executed] = [await ask(query, variables, EXPLAIN), await ask(query, variables)];
    expect(explained.json.errors).toHaveLength(1);
    expect([explained.status, explained.json.errors]).toEqual([executed.status, executed.json.errors]);
  });

  it('does not predict the errors that only executing finds', async () => {
    const { key } = await service.organization();
    const query = '{ tags(after: "x") { nodes { id } } member(id: "mem_x") { id } }';
    const { errors, extensions } = (await graphql(service.app, key)(query, {}, EXPLAIN)).json;
    expect([errors, extensions.explain.cost]).toEqual([undefined, 2]);
    expect(errorsIn(await graphql(service.app, key)(query))).toHaveLength(2);
  });

  it('lists the requests of a large variable in many fields up to 200,000 characters', async () => {
    const { key } = await service.organization();
    const fields = times(60, (n) => `a${n}: submitFormResponse(input: $input) { record { id } }`).join(' ');
    const query = `mutation ($input: SubmitFormResponseInput!) { ${fields} }`;
    const answers = times(10, (n) => ({ fieldId: n, value: 'x'.repeat(9_000) }));
    const { json } = await graphql(service.app, key)(query, { input: { formId: 1, answers } }, EXPLAIN);
    const { requests, notExpressed } = json.extensions.explain.rest;
    expect([requests.length, notExpressed.length]).toEqual([2, 50]);
    expect(notExpressed[0].message).toBe('The requests would exceed 200000 characters.');
  });
});
