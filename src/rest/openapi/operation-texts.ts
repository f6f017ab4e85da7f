import { z } from 'zod';
import { writableFields } from '../../domain/definition/create.ts';
import { type Entity, nameInSentence, pluralInSentence } from '../../domain/definition/entity.ts';
import { type Field, mapFields, shownFields } from '../../domain/definition/field.ts';
import {
  ENTITIES,
  type EntityName,
  type EntityWithOperations,
  withOperations,
} from '../../domain/entities/registry.ts';
import { alternatives, capitalize, withArticle } from '../../domain/values/words.ts';
import { RECORD_SHAPES } from '../record-shapes.ts';
import type { OperationError } from './error-responses.ts';

const DERIVED = withOperations(ENTITIES);

/** The groups of operations, in the order of the API reference. */
export const TAGS: Readonly<Record<string, string>> = {
  Members:
    'The members of the organization. A person has the same id in every organization, but each organization sees only its own data about the person.',
  Tags: 'Labels for members: public tags that an administrator created.',
  Designations: 'The roles and titles that members can have.',
  'Prayer requests': 'Requests submitted to the organization. No notifications are sent.',
  Forms: 'Forms, their fields and the responses to them.',
  Departments: 'Departments and their members.',
  ...Object.fromEntries(
    DERIVED.map(({ entity }) => [tagOf(entity), `The ${pluralInSentence(entity)} of the organization.`]),
  ),
  Changes: 'The records that changed since the previous request of a client.',
  Organization: 'The organization of the key.',
};

/** The documentation of an operation that is not derived from its route. */
export interface OperationText {
  readonly tag: string;
  readonly summary: string;
  /** What it does, in few sentences: tools for language models show nothing else, and cut it at 300 characters. */
  readonly description: string;
  /** The errors that are specific to the operation, in addition to those of all similar routes. */
  readonly errors?: readonly OperationError[];
  /** The body of a request that succeeds in a newly created demo organization, and its response. */
  readonly example?: { readonly body?: object; readonly response: object };
}

/** The time of the writes in examples. */
const WRITTEN_AT = '2026-12-03T09:30:00.000Z';

/** The response to a request that creates a record. Optional fields without a value are null. */
function createdExample(name: 'members' | 'prayer_requests', values: Readonly<Record<string, string>>) {
  const { schema, example } = RECORD_SHAPES[name];
  const optional = Object.entries<z.ZodType>(schema.shape).filter(([, field]) => field instanceof z.ZodNullable);
  const nulls = Object.fromEntries(optional.map(([field]) => [field, null]));
  const fields = Object.entries<Field>(ENTITIES[name].entity.fields);
  const defaults = Object.fromEntries(
    fields.flatMap(([field, { default: value }]) => (value === undefined ? [] : [[field, value]])),
  );
  return { data: { ...example, ...nulls, ...defaults, ...values, created_at: WRITTEN_AT, updated_at: WRITTEN_AT } };
}

/** Describes a list. @param fields those that `q` searches. */
function listed(plural: string, fields: string): string {
  return `Returns a page of the ${plural} of the organization, oldest first. \`q\` finds those with words in the ${fields}.`;
}

function updated(noun: string): string {
  return `Updates the fields of a ${noun} that are sent; null clears an optional field, and \`{}\` changes nothing.`;
}

/** The documentation of each operation, by id. */
export const OPERATION_TEXTS: Readonly<Record<string, OperationText>> = {
  ...Object.fromEntries(DERIVED.flatMap(derivedTexts)),
  listMembers: {
    tag: 'Members',
    summary: 'List members',
    description: listed('members', 'name, phone number, email address or address'),
  },
  createMember: {
    tag: 'Members',
    summary: 'Create a member',
    description:
      'Creates a member. If another organization has a member with this email address, it is the same person, with the ' +
      'same id; data of the other organization is neither returned nor changed.',
    errors: ['org_limit_reached', 'member_exists'],
    example: {
      body: {
        first_name: 'Robin',
        last_name: 'Field',
        email_address: 'robin.field@example.org',
        phone_number: '(202) 555-0123',
      },
      response: createdExample('members', {
        id: 'mem_01kbjv6q2hfx0v6g3m5e8wzr4t',
        first_name: 'Robin',
        last_name: 'Field',
        email_address: 'robin.field@example.org',
        phone_number: '+12025550123',
      }),
    },
  },
  getMember: { tag: 'Members', summary: 'Get a member', description: 'Returns the member with this id.' },
  updateMember: {
    tag: 'Members',
    summary: 'Update a member',
    description: updated('member'),
    errors: ['email_in_use'],
    example: {
      body: { city: 'Takoma Park', state: 'MD', zip_code: '20912' },
      response: {
        data: {
          ...RECORD_SHAPES.members.example,
          city: 'Takoma Park',
          state: 'MD',
          zip_code: '20912',
          updated_at: WRITTEN_AT,
        },
      },
    },
  },
  updateMemberTags: {
    tag: 'Members',
    summary: 'Add and remove tags of a member',
    description:
      'Adds tags to a member and removes others, at most 100 in total, and returns all assignable tags that the member ' +
      'has then. Texts that are no id of an assignable tag are ignored.',
    example: {
      body: {
        add: [RECORD_SHAPES.tags.example.id],
        remove: ['tag_01j00000000000000000000006', 'tag_01j0000000000000000000000a'],
      },
      response: { data: [RECORD_SHAPES.tags.example] },
    },
  },
  getMemberTags: {
    tag: 'Members',
    summary: 'List the tags of a member',
    description: 'Returns all assignable tags of a member. Also needs the scope `tags.view`.',
    example: {
      response: {
        data: [
          {
            id: 'tag_01j00000000000000000000006',
            name: 'Parent',
            slug: 'parent',
            description: 'Has children in the church school',
            category: 'Community',
            color: '#AD1457',
          },
        ],
      },
    },
  },
  submitPrayerRequest: {
    tag: 'Prayer requests',
    summary: 'Submit a prayer request',
    description: 'Stores a prayer request. No notifications are sent.',
    example: {
      body: { title: 'Safe travels', description: 'Pray for a safe journey there and back.' },
      response: createdExample('prayer_requests', {
        id: 'pry_01kbjv6q2hfx0v6g3m5e8wzr4t',
        title: 'Safe travels',
        description: 'Pray for a safe journey there and back.',
      }),
    },
  },
  listPrayerRequests: {
    tag: 'Prayer requests',
    summary: 'List prayer requests',
    description: listed('prayer requests', 'title or text'),
  },
  getPrayerRequest: {
    tag: 'Prayer requests',
    summary: 'Get a prayer request',
    description: 'Returns the prayer request with this id.',
  },
  listForms: {
    tag: 'Forms',
    summary: 'List forms with their fields',
    description: `${listed('forms', 'title')} Each form has its fields, whose ids are the keys of answers.`,
  },
  getForm: {
    tag: 'Forms',
    summary: 'Get a form with its fields',
    description: 'Returns the form with this id and its fields, whose ids are the keys of answers.',
  },
  listFormResponses: {
    tag: 'Forms',
    summary: 'List the responses to a form',
    description: 'Returns a page of the responses to a form, with their answers, oldest first.',
  },
  submitFormResponse: {
    tag: 'Forms',
    summary: 'Submit a response to a form',
    description:
      'Submits a response to a form that is published and accepts responses. Each answer is checked by the type of its ' +
      'field, and required fields must be answered. No notifications are sent.',
    errors: ['form_closed'],
    example: {
      body: { answers: RECORD_SHAPES.form_responses.example.answers },
      response: {
        data: {
          ...RECORD_SHAPES.form_responses.example,
          id: 'frs_01kbjv6q2hfx0v6g3m5e8wzr4t',
          answers: {
            ...RECORD_SHAPES.form_responses.example.answers,
            // Payments are pending, whatever the request says.
            '12': { amount: 50, currency: 'USD', status: 'pending' },
          },
          submitted_at: WRITTEN_AT,
        },
      },
    },
  },
  getFormResponse: {
    tag: 'Forms',
    summary: 'Get a response to a form',
    description: 'Returns a response to a form, or `not_found` if it belongs to another form.',
  },
  listDepartments: {
    tag: 'Departments',
    summary: 'List departments',
    description: `${listed('departments', 'name')} Each department has the ids of its members.`,
  },
  getDepartment: {
    tag: 'Departments',
    summary: 'Get a department',
    description: 'Returns the department with this id, and the ids of its members.',
  },
  listTags: {
    tag: 'Tags',
    summary: 'List tags',
    description: 'Returns a page of the tags that can be added to members and removed from them.',
  },
  getTag: {
    tag: 'Tags',
    summary: 'Get a tag',
    description: 'Returns the tag with this id, or `not_found` for tags that cannot be added to members.',
  },
  listDesignations: {
    tag: 'Designations',
    summary: 'List designations',
    description:
      'Returns a page of the designations. To set that of a member, send its id as `designation_id` when you create or ' +
      'update the member.',
  },
  getDesignation: {
    tag: 'Designations',
    summary: 'Get a designation',
    description: 'Returns the designation with this id.',
  },
  listChanges: {
    tag: 'Changes',
    summary: 'List changes',
    description:
      'Returns the records that were created, updated or removed since the cursor, in the order of their latest changes; ' +
      'without `cursor`, every record. Store the `next_cursor` of the last page, and continue from it later.',
  },
  getOrganization: {
    tag: 'Organization',
    summary: 'Get the organization',
    description: 'Returns the name, country and time zone of the organization of the key. Needs no scope.',
  },
};

/** The documentation of the operations of an entity, by id. */
function derivedTexts({ entity, operations }: EntityWithOperations): [string, OperationText][] {
  const { list, get, create, update, delete: remove } = operations;
  const tag = tagOf(entity);
  const noun = nameInSentence(entity);
  const one = withArticle(noun);
  const response = { data: RECORD_SHAPES[entity.plural as EntityName].example };
  return [
    [
      list.name,
      {
        tag,
        summary: `List ${pluralInSentence(entity)}`,
        description: listed(
          pluralInSentence(entity),
          alternatives(entity.searchedFields.map((field) => field.replaceAll('_', ' '))),
        ),
      },
    ],
    ...text(get, { tag, summary: `Get ${one}`, description: `Returns the ${noun} with this id.` }),
    ...text(create, {
      tag,
      summary: `Create ${one}`,
      description: `Creates ${one}.`,
      example: creationExample(entity),
    }),
    ...text(update, {
      tag,
      summary: `Update ${one}`,
      description: updated(noun),
      example: { body: exampleValues(writableFields(entity, 'update')), response },
    }),
    ...text(remove, {
      tag,
      summary: `Delete ${one}`,
      description: `Deletes ${one}, and returns it as it was. Returns \`invalid_request\` if other records refer to it.`,
      example: { response },
    }),
  ];
}

function text(operation: { readonly name: string } | undefined, value: OperationText): [string, OperationText][] {
  return operation ? [[operation.name, value]] : [];
}

/** The request that creates the record of the example, and its response. */
function creationExample(entity: Entity) {
  const writable = writableFields(entity, 'create');
  const names = new Set(writable.map(([name]) => name));
  const data = mapFields(shownFields(entity.fields), (field, name) => {
    if (field.isRecordTime) return WRITTEN_AT;
    const isSet = name === 'id' || names.has(name);
    return (isSet ? field.example : undefined) ?? field.default ?? null;
  });
  return { body: exampleValues(writable), response: { data } };
}

function exampleValues(fields: readonly (readonly [string, Field])[]): object {
  return Object.fromEntries(fields.flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example]])));
}

function tagOf(entity: Pick<Entity, 'plural'>): string {
  return capitalize(pluralInSentence(entity));
}
