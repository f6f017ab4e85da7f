import { beforeAll, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { newId } from '../../../src/domain/values/ids.ts';
import { appOn } from '../../support/apps.ts';
import { person } from '../../support/data.ts';
import { errorsIn, graphql } from '../../support/graphql.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore, type TestOrganization } from '../../support/service.ts';
import { countingApp } from '../counting.ts';

const ENTITIES = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) {
    __typename
    ... on Member { id firstName tags { id } }
    ... on Event { id title }
    ... on Form { id formId }
    ... on FormField { id question }
  }
}`;

/** The errors of a response, with REST's codes. */
const detailsIn = (json: { errors: { extensions: { details: { field: string; message: string }[] } }[] }) =>
  json.errors.map(({ extensions }) => extensions.details);

onOneStore((service) => {
  let app: App;
  beforeAll(() => {
    app = appOn(service, { federation: true });
  });

  function ask(organization: TestOrganization, representations: readonly unknown[], query = ENTITIES) {
    return graphql(app, organization.key)(query, { representations });
  }

  async function withMember() {
    const organization = await service.organization();
    const member = (await organization.post('/members', person({ first_name: 'Ada' }))).json.data;
    return { organization, member, records: recordsOf(service, organization.id) };
  }

  it('returns records of several types in the order of the representations, including repeated ones', async () => {
    const { organization, member, records } = await withMember();
    const [event, form] = [await records.event({ title: 'Picnic' }), await records.form()];
    const field = await records.formField(form.id, { question: 'Why?' });
    const representations = [
      { __typename: 'Event', id: event.id },
      { __typename: 'Member', id: member.id, firstName: 'of another subgraph' },
      { __typename: 'FormField', id: `field_${field.id}` },
      { __typename: 'Form', id: `form_${form.id}` },
      { __typename: 'Event', id: event.id },
    ];
    const { json } = await ask(organization, representations);
    expect(json.errors).toBeUndefined();
    expect(json.data._entities).toEqual([
      { __typename: 'Event', id: event.id, title: 'Picnic' },
      { __typename: 'Member', id: member.id, firstName: 'Ada', tags: [] },
      { __typename: 'FormField', id: `field_${field.id}`, question: 'Why?' },
      { __typename: 'Form', id: `form_${form.id}`, formId: form.id },
      { __typename: 'Event', id: event.id, title: 'Picnic' },
    ]);
  });

  it('reads the records of a type in one statement', async () => {
    const { app: counted, during } = countingApp(service, { federation: true });
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    const events = await Promise.all(Array.from({ length: 5 }, () => records.event()));
    const representations = events.map(({ id }) => ({ __typename: 'Event', id }));
    const { result, statements } = await during(() =>
      graphql(counted, organization.key)(ENTITIES, { representations }),
    );
    expect(result.json.data._entities).toHaveLength(5);
    expect(statements.filter((text) => text.includes('event'))).toHaveLength(1);
  });

  it('returns null without an error for records of another organization, as for unknown ones', async () => {
    const [{ organization }, other] = [await withMember(), await withMember()];
    const tag = await other.records.tag({ name: 'Foreign' });
    const ids = { Member: [other.member.id, newId('mem')], Tag: [tag.id, newId('tag'), 'tag_\u0000'] };
    const foreign = Object.entries(ids).flatMap(([__typename, all]) => all.map((id) => ({ __typename, id })));
    const unknown = [...foreign, { __typename: 'Form', id: 'form_x' }, { __typename: 'Event', id: 'nothing' }];
    const { json } = await ask(organization, unknown);
    expect(json.errors).toBeUndefined();
    expect(json.data._entities).toEqual(unknown.map(() => null));
  });

  it('requires the scope of each type before reading', async () => {
    const { organization, member, records } = await withMember();
    const event = await records.event();
    const narrow = await organization.withScopes('events.view');
    const answer = await ask(narrow, [
      { __typename: 'Member', id: member.id },
      { __typename: 'Event', id: event.id },
      { __typename: 'Member', id: newId('mem') },
    ]);
    expect(answer.json.data._entities).toEqual([null, { __typename: 'Event', id: event.id, title: event.title }, null]);
    expect(errorsIn(answer)).toEqual([0, 2].map((index) => ({ code: 'missing_scope', path: `_entities.${index}` })));
  });

  it('rejects an id of another type, and returns the others', async () => {
    const { organization, member, records } = await withMember();
    const event = await records.event();
    const answer = await ask(organization, [
      { __typename: 'Member', id: event.id },
      { __typename: 'Member', id: member.id },
    ]);
    expect(answer.json.data._entities).toEqual([
      null,
      { __typename: 'Member', id: member.id, firstName: 'Ada', tags: [] },
    ]);
    expect(errorsIn(answer)).toEqual([{ code: 'invalid_request', path: '_entities.0' }]);
    expect(detailsIn(answer.json)).toEqual([
      [{ field: 'representations.0.id', message: 'must be the id of a record of type Member, not Event' }],
    ]);
  });

  it.each([
    ['an unknown type', { __typename: 'Person', id: 'mem_1' }, ['0.__typename']],
    ['a type that is not a record type', { __typename: 'PageInfo', id: 'mem_1' }, ['0.__typename']],
    ['the name of an inherited property', { __typename: 'constructor', id: 'mem_1' }, ['0.__typename']],
    ['a missing type', { id: 'mem_1' }, ['0.__typename']],
    ['a missing id', { __typename: 'Member' }, ['0.id']],
    ['an id that is not a string', { __typename: 'Member', id: 7 }, ['0.id']],
    ['neither', {}, ['0.__typename', '0.id']],
    ['text', 'Member', ['0']],
    ['a list', [{ __typename: 'Member', id: 'mem_1' }], ['0']],
  ])('rejects %s before reading anything', async (_name, representation, fields) => {
    const { app: counted, during } = countingApp(service, { federation: true });
    const { organization, member } = await withMember();
    const { result, statements } = await during(() =>
      graphql(counted, organization.key)(ENTITIES, {
        representations: [representation, { __typename: 'Member', id: member.id }],
      }),
    );
    expect(result.json.data).toBeNull();
    expect(errorsIn(result)).toEqual([{ code: 'invalid_request', path: '_entities' }]);
    expect(detailsIn(result.json)).toEqual([
      fields.map((field) => ({ field: `representations.${field}`, message: expect.any(String) })),
    ]);
    expect(statements.filter((text) => text.includes('FROM member'))).toEqual([]);
  });

  it('rejects more than 100 representations', async () => {
    const { organization, member } = await withMember();
    const many = Array(101).fill({ __typename: 'Member', id: member.id });
    expect((await ask(organization, many.slice(1))).json.data._entities).toHaveLength(100);
    const { json } = await ask(organization, many);
    expect(json.data).toBeNull();
    expect(detailsIn(json)).toEqual([
      [{ field: 'representations', message: 'must contain at most 100 representations' }],
    ]);
  });
});
