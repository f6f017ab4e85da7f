import { newId } from '../../../src/domain/values/ids.ts';
import { DERIVED_ENTITIES } from '../../support/derived-records.ts';
import { derivedCases, fails, listCases, newMember, notFound, personIn, succeeds, type TestCase } from './test-case.ts';

/** The search that matches one record of each list. */
const LISTS: Record<string, string> = {
  'GET /members': 'last1',
  'GET /forms': 'FORM 1',
  'GET /departments': 'ment 1',
  'GET /tags': 'CHO',
};

/** One case for each way in which an operation can end. */
export const CASES: readonly TestCase[] = [
  ...Object.entries(LISTS).flatMap(([operation, q]) => listCases(operation, () => ({}), q)),
  ...DERIVED_ENTITIES.flatMap(derivedCases),
  ...listCases('GET /forms/{form_id}/responses', ({ ids }) => ({ form_id: ids.forms.survey })),
  fails('GET /forms/{form_id}/responses', 'an unknown form', 'not_found', () => ({ form_id: 4_000_000 })),
  succeeds('GET /forms/{form_id}/responses', 'a form without any', ({ ids }) => ({ form_id: ids.forms.signup })),

  succeeds('POST /members', 'the required fields', ({ unique }) => newMember(unique)),
  succeeds('POST /members', 'every field', ({ ids, unique }) => ({
    ...newMember(unique),
    phone_number: '650 253 0001',
    gender: 'Others',
    address: ' 1 Elm ',
    city: '',
    state: 'O',
    zip_code: '1',
    country: null,
    marital_status: 'Single',
    designation_id: ids.derived.designations[1],
    date_of_birth: '2000-02-29',
  })),
  succeeds('POST /members', 'empty texts', ({ unique }) => ({
    ...newMember(unique),
    date_of_birth: '',
    designation_id: '',
    city: '',
  })),
  succeeds('POST /members', 'tags', ({ ids: { tags }, unique }) => ({
    ...newMember(unique),
    tag_ids: [tags.choir, tags.choir],
  })),
  fails('POST /members', 'tags that are not assignable', 'invalid_request', ({ ids: { tags }, unique }) => ({
    ...newMember(unique),
    tag_ids: [tags.choir, tags.secret],
  })),
  fails(
    'POST /members',
    'tags and a key that cannot change them',
    'missing_scope',
    ({ ids: { tags }, unique }) => ({ ...newMember(unique), tag_ids: [tags.choir] }),
    { scopes: ['members.create', 'tags.view'] },
  ),
  succeeds('POST /members', 'a person of another organization', (_, given) => newMember(given, given), {
    given: async (service) => personIn(service, 1),
  }),
  fails('POST /members', 'a person of three others', 'org_limit_reached', (_, given) => newMember('x', given), {
    given: async (service) => personIn(service, 3),
  }),
  fails('POST /members', 'a member', 'member_exists', ({ ids }) => newMember('x', ids.emails[0])),
  fails('POST /members', 'a blank name, an invalid address and an invalid date', 'invalid_request', () => ({
    first_name: ' ',
    last_name: 'x'.repeat(256),
    email_address: 'nobody',
    date_of_birth: '2001-02-29',
  })),
  fails('POST /members', 'an invalid phone number', 'invalid_request', ({ unique }) => ({
    ...newMember(unique),
    phone_number: 'call me',
  })),
  fails('POST /members', 'a number that lacks a plus, and a date of birth too long ago', 'invalid_request', (own) => ({
    ...newMember(own.unique),
    phone_number: '447911123456',
    date_of_birth: '1849-12-31',
  })),
  fails('POST /members', 'an unknown designation', 'invalid_request', ({ unique }) => ({
    ...newMember(unique),
    designation_id: newId('dsg'),
  })),
  fails('POST /members', 'nothing', 'invalid_request', () => ({}), { typed: true }),

  succeeds('GET /members/{object_id}', 'a full record', ({ ids }) => ({ object_id: ids.members.one })),
  succeeds('GET /members/{object_id}', 'an empty record', ({ ids }) => ({ object_id: ids.members.two })),
  ...notFound('GET /members/{object_id}', 'mem', 'object_id'),

  succeeds('PATCH /members/{object_id}', 'some fields', ({ ids, unique }) => ({
    object_id: ids.members.one,
    last_name: 'Ñandú',
    email_address: ` New.${unique}@EXAMPLE.org`,
    gender: 'Male',
    designation_id: ids.derived.designations[1],
  })),
  succeeds('PATCH /members/{object_id}', 'null', ({ ids }) => ({
    object_id: ids.members.one,
    phone_number: null,
    gender: null,
    address: null,
    city: null,
    state: null,
    zip_code: null,
    country: null,
    marital_status: null,
    designation_id: null,
  })),
  succeeds('PATCH /members/{object_id}', 'no change', ({ ids }) => ({ object_id: ids.members.one })),
  succeeds('PATCH /members/{object_id}', 'tags, which replace those before', ({ ids: { members, tags } }) => ({
    object_id: members.one,
    city: 'Troy',
    tag_ids: [tags.band],
  })),
  succeeds('PATCH /members/{object_id}', 'null for tags', ({ ids }) => ({ object_id: ids.members.one, tag_ids: null })),
  fails('PATCH /members/{object_id}', 'an unknown tag', 'invalid_request', ({ ids }) => ({
    object_id: ids.members.one,
    city: 'Not stored',
    tag_ids: [ids.tags.band, newId('tag')],
  })),
  fails('PATCH /members/{object_id}', 'an address of somebody else', 'email_in_use', ({ ids }) => ({
    object_id: ids.members.one,
    email_address: ids.emails[1],
    city: 'Not stored',
  })),
  fails('PATCH /members/{object_id}', 'null for a required value', 'invalid_request', ({ ids }) => ({
    object_id: ids.members.one,
    first_name: null,
    last_name: null,
    email_address: null,
    city: 'Not stored',
  })),
  fails('PATCH /members/{object_id}', 'an unknown designation', 'invalid_request', ({ ids }) => ({
    object_id: ids.members.one,
    designation_id: 'dsg_',
    city: 'Not stored',
  })),
  fails('PATCH /members/{object_id}', 'an invalid value for an unknown member', 'invalid_request', () => ({
    object_id: newId('mem'),
    first_name: '',
    phone_number: 'x'.repeat(256),
  })),
  ...notFound('PATCH /members/{object_id}', 'mem', 'object_id', { city: 'Troy' }),

  succeeds('GET /members/{object_id}/tags', 'tags', ({ ids }) => ({ object_id: ids.members.one })),
  ...notFound('GET /members/{object_id}/tags', 'mem', 'object_id'),

  succeeds('GET /organization', 'a key of any scope', () => ({}), { scopes: ['tags.view'] }),

  succeeds('PATCH /members/{object_id}/tags', 'tags to add and to remove', ({ ids: { members, tags } }) => ({
    object_id: members.one,
    add: [tags.band, tags.band],
    remove: [tags.choir],
  })),
  succeeds('PATCH /members/{object_id}/tags', 'tags that are not assignable', ({ ids: { members, tags } }) => ({
    object_id: members.one,
    add: [tags.system, newId('tag'), 'nonsense'],
    remove: [tags.secret],
  })),
  succeeds('PATCH /members/{object_id}/tags', 'no change', ({ ids }) => ({
    object_id: ids.members.one,
    add: [],
    remove: null,
  })),
  fails(
    'PATCH /members/{object_id}/tags',
    'a tag to add and to remove',
    'invalid_request',
    ({ ids: { members, tags } }) => ({ object_id: members.one, add: [tags.band], remove: [tags.band] }),
  ),
  ...notFound('PATCH /members/{object_id}/tags', 'mem', 'object_id', { add: [newId('tag')] }),

  fails('POST /prayer-requests', 'a blank description and an invalid address', 'invalid_request', () => ({
    description: ' ',
    sender_email: 'nobody',
    sender_phone: 'x'.repeat(256),
  })),

  succeeds('GET /forms/{form_id}', 'a form with fields', ({ ids }) => ({ form_id: ids.forms.survey })),
  succeeds('GET /forms/{form_id}', 'a form without any', ({ ids }) => ({ form_id: ids.forms.signup })),
  fails('GET /forms/{form_id}', 'form 0', 'not_found', () => ({ form_id: 0 })),
  ...notFound('GET /forms/{form_id}', 'form', 'form_id'),
  succeeds('GET /departments/{id}', 'a record', ({ ids }) => ({ id: ids.departments[0] })),
  ...notFound('GET /departments/{id}', 'dep', 'id'),
  succeeds('GET /tags/{id}', 'a record', ({ ids }) => ({ id: ids.tags.choir })),
  fails('GET /tags/{id}', 'a tag that is not assignable', 'not_found', ({ ids }) => ({ id: ids.tags.secret })),
  ...notFound('GET /tags/{id}', 'tag', 'id'),

  succeeds('GET /forms/{form_id}/responses/{response_id}', 'a record', ({ ids }) => ({
    form_id: ids.forms.survey,
    response_id: ids.responses[0],
  })),
  fails('GET /forms/{form_id}/responses/{response_id}', 'another form', 'not_found', ({ ids }) => ({
    form_id: ids.forms.signup,
    response_id: ids.responses[0],
  })),
  ...notFound('GET /forms/{form_id}/responses/{response_id}', 'frs', 'response_id', { form_id: 11 }),

  succeeds('POST /forms/{form_id}/responses', 'every answer', ({ ids }) => ({
    form_id: ids.forms.survey,
    answers: { 21: ' Yes\n', 22: 'Red', 23: { first_name: 'Ada', last_name: null } },
  })),
  succeeds('POST /forms/{form_id}/responses', 'the required answers', ({ ids }) => ({
    form_id: ids.forms.survey,
    answers: { 21: 'Yes', 22: null, 23: {} },
  })),
  fails('POST /forms/{form_id}/responses', 'a form that is closed', 'form_closed', ({ ids }) => ({
    form_id: ids.forms.signup,
    answers: {},
  })),
  fails('POST /forms/{form_id}/responses', 'invalid, missing and unknown answers', 'invalid_request', ({ ids }) => ({
    form_id: ids.forms.survey,
    answers: { 22: 'Blue', 23: { email: 'ada@example.org' }, 99: 'x' },
  })),
  fails('POST /forms/{form_id}/responses', 'a NUL', 'invalid_request', ({ ids }) => ({
    form_id: ids.forms.survey,
    answers: { 21: 'a\0' },
  })),
  fails(
    'POST /forms/{form_id}/responses',
    'no answers',
    'invalid_request',
    ({ ids }) => ({ form_id: ids.forms.survey }),
    { typed: true },
  ),
  fails('POST /forms/{form_id}/responses', 'an unknown form', 'not_found', () => ({
    form_id: 4_000_000,
    answers: {},
  })),
  ...listCases('GET /changes', () => ({})),
  succeeds('GET /changes', 'some resources', () => ({ resources: 'forms,members' })),
  fails('GET /changes', 'an unknown resource', 'invalid_request', () => ({ resources: 'people' }), { typed: true }),
  fails('GET /changes', 'a resource without its scope', 'missing_scope', () => ({ resources: 'tags,members' }), {
    scopes: ['members.view'],
  }),
];
