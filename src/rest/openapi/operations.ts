import { z } from 'zod';
import { writableFields } from '../../domain/definition/create.ts';
import { type Entity, nameInSentence, pluralInSentence } from '../../domain/definition/entity.ts';
import { type EntityWithOperations, withOperations } from '../../domain/definition/entity-operations.ts';
import type { Field } from '../../domain/definition/field.ts';
import { ENTITIES, type EntityName } from '../../domain/entities/registry.ts';
import { capitalize, withArticle } from '../../domain/values/words.ts';
import { RECORD_SHAPES } from '../entity-shape.ts';
import type { OperationError } from './errors.ts';

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
  readonly description?: string;
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
  return { data: { ...example, ...nulls, ...values, created_at: WRITTEN_AT, updated_at: WRITTEN_AT } };
}

/** The documentation of each operation, by id. */
export const OPERATIONS: Readonly<Record<string, OperationText>> = {
  ...Object.fromEntries(DERIVED.flatMap(derivedTexts)),
  listMembers: {
    tag: 'Members',
    summary: 'List members',
  },
  createMember: {
    tag: 'Members',
    summary: 'Create a member',
    description:
      'If another organization has a member with this email address, the new member is the same person and has the same ' +
      'id; data of the other organization is neither returned nor changed. A person belongs to at most three organizations.',
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
  getMember: { tag: 'Members', summary: 'Get a member' },
  updateMember: {
    tag: 'Members',
    summary: 'Update a member',
    description: 'Updates only the fields that are sent; null clears an optional field. `{}` changes nothing.',
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
      'Ids of unknown or unassignable tags are ignored. At most 100 ids in total; no id may be in both lists. Returns all ' +
      'assignable tags that the member has after the update.',
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
    description: 'Returns all assignable tags of the member. Also needs the scope `tags.view`.',
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
    description: 'Stores the prayer request. No notifications are sent.',
    example: {
      body: { title: 'Safe travels', description: 'Pray for a safe journey there and back.' },
      response: createdExample('prayer_requests', {
        id: 'pry_01kbjv6q2hfx0v6g3m5e8wzr4t',
        title: 'Safe travels',
        description: 'Pray for a safe journey there and back.',
        sender: 'Anonymous',
      }),
    },
  },
  listPrayerRequests: {
    tag: 'Prayer requests',
    summary: 'List prayer requests',
  },
  getPrayerRequest: { tag: 'Prayer requests', summary: 'Get a prayer request' },
  listForms: {
    tag: 'Forms',
    summary: 'List forms with their fields',
  },
  getForm: { tag: 'Forms', summary: 'Get a form with its fields' },
  listFormResponses: {
    tag: 'Forms',
    summary: 'List the responses to a form',
  },
  submitFormResponse: {
    tag: 'Forms',
    summary: 'Submit a response to a form',
    description:
      'The form must be published and accept responses. Each answer is validated by the type of its field: email ' +
      'addresses and phone numbers by their syntax (phone numbers are stored in E.164 format), `date` as `YYYY-MM-DD`, ' +
      '`time` as `HH:MM`, choices against the active options, `contact` by the parts that the field collects. Fields ' +
      'that are required must be answered; null, blank text and empty lists do not count as answers. The `status` of a ' +
      'payment is always `pending`. No notifications are sent.',
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
    description: 'Returns `not_found` if the response belongs to another form.',
  },
  listDepartments: { tag: 'Departments', summary: 'List departments' },
  getDepartment: { tag: 'Departments', summary: 'Get a department' },
  listTags: {
    tag: 'Tags',
    summary: 'List tags',
    description: 'The tags that can be added to members and removed from them.',
  },
  getTag: {
    tag: 'Tags',
    summary: 'Get a tag',
    description: 'Returns `not_found` for tags that cannot be added to members.',
  },
  listDesignations: {
    tag: 'Designations',
    summary: 'List designations',
    description:
      'To set the designation of a member, send its id as `designation_id` when you create or update the member.',
  },
  getDesignation: { tag: 'Designations', summary: 'Get a designation' },
  listChanges: {
    tag: 'Changes',
    summary: 'List changes',
    description:
      'The records that were created, updated or removed since the cursor, each with its latest change, in the order ' +
      'of these changes. Without `cursor`: every record. `next_cursor` is never null: store that of the last page, and ' +
      'continue from it later. The error `invalid_cursor` means that the cursor belongs to other resources, or that ' +
      'the database was restored or failed over: discard your copy of the records, and start again without a cursor. ' +
      'With `wait`, the request waits for changes; GraphQL has a subscription instead. ' +
      'Each resource requires the scope of its list.',
  },
  getOrganization: {
    tag: 'Organization',
    summary: 'Get the organization',
    description: 'Needs no scope.',
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
    [list.name, { tag, summary: `List ${pluralInSentence(entity)}` }],
    ...text(get, { tag, summary: `Get ${one}` }),
    ...text(create, { tag, summary: `Create ${one}`, example: creationExample(entity) }),
    ...text(update, {
      tag,
      summary: `Update ${one}`,
      description: 'Updates only the fields that are sent; null clears an optional field. `{}` changes nothing.',
      example: { body: exampleValues(writableFields(entity, 'update')), response },
    }),
    ...text(remove, {
      tag,
      summary: `Delete ${one}`,
      description: `Returns the ${noun} as it was. Returns \`invalid_request\` if other records refer to it.`,
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
  const shown = Object.entries<Field>(entity.fields).filter(([, { hidden }]) => !hidden);
  const data = shown.map(([name, field]) => {
    if (field.isRecordTime) return [name, WRITTEN_AT];
    const isSet = name === 'id' || names.has(name);
    return [name, (isSet ? field.example : undefined) ?? field.default ?? null];
  });
  return { body: exampleValues(writable), response: { data: Object.fromEntries(data) } };
}

function exampleValues(fields: readonly (readonly [string, Field])[]): object {
  return Object.fromEntries(fields.flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example]])));
}

function tagOf(entity: Pick<Entity, 'plural'>): string {
  return capitalize(pluralInSentence(entity));
}
