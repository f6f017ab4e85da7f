import { expect, it } from 'vitest';
import { newId } from '../../src/domain/values/ids.ts';
import { person } from '../support/data.ts';
import { codesIn, errorsIn, graphql } from '../support/graphql.ts';
import { recordsOf } from '../support/records.ts';
import { onOneStore, type TestOrganization } from '../support/service.ts';

/** An unknown id for each type that implements `Node`. */
const UNKNOWN = {
  Member: newId('mem'),
  Tag: newId('tag'),
  Designation: newId('dsg'),
  Department: newId('dep'),
  PrayerRequest: newId('pry'),
  Form: 'form_2000000000',
  FormField: 'field_2000000000',
  FormResponse: newId('frs'),
  Event: newId('evt'),
  Service: newId('svc'),
};

type TypeName = keyof typeof UNKNOWN;
const TYPES = Object.keys(UNKNOWN) as TypeName[];

onOneStore((service) => {
  /** Creates one record of each type. Returns their ids. */
  async function createOneOfEach(organization: TestOrganization): Promise<Record<TypeName, string>> {
    const records = recordsOf(service, organization.id);
    const member = (await organization.post('/members', person())).json.data;
    const prayer = (await organization.post('/prayer-requests', { description: 'Rain' })).json.data;
    const form = await records.form();
    const field = await records.formField(form.id);
    return {
      Member: member.id,
      Tag: (await records.tag()).id,
      Designation: (await records.designation()).id,
      Department: (await records.department({ headId: member.id }, [member.id])).id,
      PrayerRequest: prayer.id,
      Form: `form_${form.id}`,
      FormField: `field_${field.id}`,
      FormResponse: (await records.formResponse(form.id)).id,
      Event: (await records.event()).id,
      Service: (await records.service()).id,
    };
  }
  const clientOf = (organization: TestOrganization) => graphql(service.app, organization.key);

  it('returns records of every type by id, in the order of the ids', async () => {
    const organization = await service.organization();
    const own = await createOneOfEach(organization);
    const ask = clientOf(organization);
    for (const type of TYPES) {
      const { json } = await ask('query ($id: ID!) { node(id: $id) { __typename id } }', { id: own[type] });
      expect(json.data).toEqual({ node: { __typename: type, id: own[type] } });
    }
    const ids = [...TYPES].reverse().map((type) => own[type]);
    const { json } = await ask('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', {
      ids: [...ids, ids[0]],
    });
    expect(json.data.nodes.map((node: { id: string }) => node.id)).toEqual([...ids, ids[0]]);
  });

  it.each(TYPES)(
    "returns the same error for the id of another organization's %s as for an unknown id",
    async (type) => {
      const [organization, other] = await Promise.all([service.organization(), service.organization()]);
      const foreign = (await createOneOfEach(other))[type];
      const ask = clientOf(organization);
      const answers = [];
      for (const id of [UNKNOWN[type], foreign]) {
        const one = await ask('query ($id: ID!) { node(id: $id) { id } }', { id });
        expect(one.json.data).toEqual({ node: null });
        const many = await ask('query ($id: ID!) { nodes(ids: [$id]) { id } }', { id });
        expect(many.json.data).toEqual({ nodes: [null] });
        expect([...codesIn(one), ...codesIn(many)]).toEqual(['not_found', 'not_found']);
        answers.push([one.status, one.json.errors, many.status, many.json.errors]);
      }
      expect(answers[1]).toEqual(answers[0]);
      expect(JSON.stringify(answers)).not.toContain(foreign);
    },
  );

  it('returns null and an error for each node that does not exist', async () => {
    const [organization, other] = await Promise.all([service.organization(), service.organization()]);
    const [own, foreign] = [await createOneOfEach(organization), await createOneOfEach(other)];
    const ids = [own.Event, foreign.Event, 'evt_x', own.Form, own.Event.replace('evt', 'svc'), foreign.Member, own.Tag];
    const answer = await clientOf(organization)('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect(answer.json.data.nodes).toEqual([
      { id: own.Event },
      null,
      null,
      { id: own.Form },
      null,
      null,
      { id: own.Tag },
    ]);
    expect(errorsIn(answer)).toEqual([1, 2, 4, 5].map((index) => ({ code: 'not_found', path: `nodes.${index}` })));
    expect(new Set(answer.json.errors.map(({ message }: { message: string }) => message)).size).toBe(1);
  });

  it('does not return tags that are not assignable', async () => {
    const organization = await service.organization();
    const records = recordsOf(service, organization.id);
    for (const tag of [await records.tag({ privacy: 'private' }), await records.tag({ source: 'ai' })]) {
      const answer = await clientOf(organization)('query ($id: ID!) { node(id: $id) { id } }', { id: tag.id });
      expect([answer.json.data, codesIn(answer)]).toEqual([{ node: null }, ['not_found']]);
    }
  });

  it('returns the same errors for records of another organization as for unknown records', async () => {
    const [organization, other] = await Promise.all([service.organization(), service.organization()]);
    const foreign = await createOneOfEach(other);
    const query = `query ($member: ID!, $prayer: ID!, $form: Int!, $formId: ID!, $response: ID!,
      $event: ID!, $service: ID!, $department: ID!, $tag: ID!, $designation: ID!) {
      member(id: $member) { id } prayerRequest(id: $prayer) { id } formResponse(formId: $form, id: $response) { id }
      form(id: $formId) { id } event(id: $event) { id } service(id: $service) { id } department(id: $department) { id }
      tag(id: $tag) { id } designation(id: $designation) { id } }`;
    const ask = (ids: Record<TypeName, string>) =>
      clientOf(organization)(query, {
        member: ids.Member,
        prayer: ids.PrayerRequest,
        form: Number(ids.Form.slice('form_'.length)),
        formId: ids.Form,
        response: ids.FormResponse,
        event: ids.Event,
        service: ids.Service,
        department: ids.Department,
        tag: ids.Tag,
        designation: ids.Designation,
      });
    const [theirs, unknown] = [await ask(foreign), await ask(UNKNOWN)];
    expect(new Set(Object.values(theirs.json.data))).toEqual(new Set([null]));
    expect(codesIn(theirs)).toEqual(Object.keys(theirs.json.data).map(() => 'not_found'));
    const byMessage = ({ json }: typeof theirs) => new Map(json.errors.map((error: Error) => [error.message, error]));
    expect(byMessage(theirs)).toEqual(byMessage(unknown));
  });

  it('does not update members of another organization', async () => {
    const [organization, other] = await Promise.all([service.organization(), service.organization()]);
    const foreign = await createOneOfEach(other);
    const own = await createOneOfEach(organization);
    const before = await other.get(`/members/${foreign.Member}`);
    const answer = await clientOf(organization)(
      `mutation ($id: ID!, $tag: ID!) { updateMember(input: { id: $id, firstName: "X" }) { member { id } }
        updateMemberTags(input: { id: $id, add: [$tag] }) { tags { id } } }`,
      { id: foreign.Member, tag: own.Tag },
    );
    expect(answer.json.data).toEqual({ updateMember: null, updateMemberTags: null });
    expect(codesIn(answer)).toEqual(['not_found', 'not_found']);
    expect((await other.get(`/members/${foreign.Member}`)).json).toEqual(before.json);
  });

  it('treats tags and designations of another organization as unknown', async () => {
    const [organization, other] = await Promise.all([service.organization(), service.organization()]);
    const [own, foreign] = [await createOneOfEach(organization), await createOneOfEach(other)];
    const ask = clientOf(organization);
    const change = (tag: string, designation: string) =>
      ask(
        `mutation ($id: ID!, $tag: ID!, $designation: ID!) {
          updateMemberTags(input: { id: $id, add: [$tag] }) { tags { id } }
          updateMember(input: { id: $id, designationId: $designation }) { member { id } } }`,
        { id: own.Member, tag, designation },
      );
    const [theirs, unknown] = [
      await change(foreign.Tag, foreign.Designation),
      await change(UNKNOWN.Tag, UNKNOWN.Designation),
    ];
    expect(theirs.json.data).toEqual({ updateMemberTags: { tags: [] }, updateMember: null });
    expect(codesIn(theirs)).toEqual(['invalid_request']);
    expect([theirs.json.data, theirs.json.errors]).toEqual([unknown.json.data, unknown.json.errors]);
  });

  it('returns only data of the organization in lists and counts, even for a shared person', async () => {
    const [organization, other] = await Promise.all([service.organization(), service.organization()]);
    const body = person({ last_name: 'Shared' });
    const mine = (await organization.post('/members', body)).json.data;
    const theirs = (await other.post('/members', { ...body, last_name: 'Foreign', city: 'Elsewhere' })).json.data;
    expect(theirs.id).toBe(mine.id);
    await recordsOf(service, organization.id).department({ name: 'Own', headId: mine.id }, [mine.id]);
    const stranger = (await other.post('/members', person({ last_name: 'Foreign' }))).json.data;
    await recordsOf(service, other.id).department({ name: 'Foreign' }, [theirs.id, stranger.id]);
    const foreignTag = await recordsOf(service, other.id).tag({ name: 'Foreign' });
    await other.patch(`/members/${theirs.id}/tags`, { add: [foreignTag.id] });
    const { json, text } = await clientOf(organization)(`{
      members { edges { node { id lastName city tags { id } departments { name memberIds membersCount } } } }
      found: members(search: "foreign") { edges { node { id } } }
      departments { edges { node { name headOfDepartment { lastName } members { edges { node { id lastName } } } } } } }`);
    expect(json.errors).toBeUndefined();
    expect(text).not.toMatch(/Foreign|Elsewhere/);
    expect(json.data).toEqual({
      members: {
        edges: [
          {
            node: {
              id: mine.id,
              lastName: 'Shared',
              city: null,
              tags: [],
              departments: [{ name: 'Own', memberIds: [mine.id], membersCount: 1 }],
            },
          },
        ],
      },
      found: { edges: [] },
      departments: {
        edges: [
          {
            node: {
              name: 'Own',
              headOfDepartment: { lastName: 'Shared' },
              members: { edges: [{ node: { id: mine.id, lastName: 'Shared' } }] },
            },
          },
        ],
      },
    });
  });

  it('creates a member for a person of another organization without exposing its data', async () => {
    const [organization, other] = await Promise.all([service.organization(), service.organization()]);
    const body = person({ city: 'Elsewhere', phone_number: '+16502530000', gender: 'Female' });
    const theirs = (await other.post('/members', body)).json.data;
    const { json } = await clientOf(organization)(
      'mutation ($input: CreateMemberInput!) { createMember(input: $input) { member { id firstName city phoneNumber gender tags { id } } } }',
      { input: { firstName: 'Own', lastName: 'Name', emailAddress: body.email_address } },
    );
    expect(json.data.createMember.member).toEqual({
      id: theirs.id,
      firstName: 'Own',
      city: null,
      phoneNumber: null,
      gender: null,
      tags: [],
    });
    expect((await other.get(`/members/${theirs.id}`)).json.data).toEqual(theirs);
  });
});
