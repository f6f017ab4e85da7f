import { formResponseRecord, memberRecord, prayerRequestRecord, tagRecord } from '../records.ts';
import type { OperationError } from './errors.ts';

/** The groups of operations, in the order in which they are shown. */
export const TAGS = {
  Members:
    'The people of the organization. A person has the same id in every organization, and each organization sees only what it wrote itself.',
  Tags: 'What members can be marked with: tags made by an administrator, and public.',
  Designations: 'The roles and titles that members can have.',
  'Prayer requests': 'Requests submitted to the organization. Nobody is notified of them.',
  Forms: 'Forms, their fields, and what people answered.',
  Events: 'Events on one day or several.',
  Services: 'Recurring and dated gatherings.',
  Departments: 'Departments and who belongs to them.',
  Changes: 'What changed since a client last asked.',
} as const;

/** What the description says of an operation beyond what its route tells. */
export interface OperationText {
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description?: string;
  /** Where the text of `q` is looked for. */
  readonly searched?: string;
  /** The errors that are its own. */
  readonly errors?: readonly OperationError[];
  /** A request that the demo organization takes on its first day, and its answer. */
  readonly example?: { readonly body: object; readonly answer: object };
}

/** The operations by id. */
export const OPERATIONS = {
  listMembers: {
    tag: 'Members',
    summary: 'List members',
    searched: 'first or last name, phone number, email address or address',
  },
  createMember: {
    tag: 'Members',
    summary: 'Create a member',
    description:
      'A person who is known elsewhere by this email address joins: the same id, and no second person. Nothing that ' +
      'another organization wrote is shown or changed. A person belongs to at most three organizations.',
    errors: ['org_limit_reached', 'member_exists'],
    example: {
      body: {
        first_name: 'Robin',
        last_name: 'Field',
        email_address: 'robin.field@example.org',
        phone_number: '(202) 555-0123',
      },
      answer: {
        data: {
          ...memberRecord.example,
          id: 'mem_01kbjv6q2hfx0v6g3m5e8wzr4t',
          first_name: 'Robin',
          last_name: 'Field',
          email_address: 'robin.field@example.org',
          phone_number: '+12025550123',
          gender: null,
          marital_status: null,
          date_of_birth: null,
          address: null,
          city: null,
          state: null,
          zip_code: null,
          country: null,
          designation: null,
          created_at: '2026-12-03T09:30:00.000Z',
          updated_at: '2026-12-03T09:30:00.000Z',
        },
      },
    },
  },
  getMember: { tag: 'Members', summary: 'Get a member' },
  updateMember: {
    tag: 'Members',
    summary: 'Change a member',
    description: 'Only the sent fields change; null clears an optional one. `{}` changes nothing.',
    errors: ['email_in_use'],
    example: {
      body: { city: 'Takoma Park', state: 'MD', zip_code: '20912' },
      answer: {
        data: {
          ...memberRecord.example,
          city: 'Takoma Park',
          state: 'MD',
          zip_code: '20912',
          updated_at: '2026-12-03T09:30:00.000Z',
        },
      },
    },
  },
  updateMemberTags: {
    tag: 'Members',
    summary: 'Add tags to a member and remove others',
    description:
      'Ids of tags that are unknown or not assignable change nothing and are no error. At most 100 ids, none of them ' +
      'in both lists. The answer is all assignable tags that the member has then.',
    example: {
      body: {
        add: [tagRecord.example.id],
        remove: ['tag_01j00000000000000000000006', 'tag_01j0000000000000000000000a'],
      },
      answer: { data: [tagRecord.example] },
    },
  },
  submitPrayerRequest: {
    tag: 'Prayer requests',
    summary: 'Submit a prayer request',
    description: 'Stores the request and nothing else: nobody is notified.',
    example: {
      body: { title: 'Safe travels', description: 'Pray for a safe journey there and back.' },
      answer: {
        data: {
          ...prayerRequestRecord.example,
          id: 'pry_01kbjv6q2hfx0v6g3m5e8wzr4t',
          title: 'Safe travels',
          description: 'Pray for a safe journey there and back.',
          sender: 'Anonymous',
          sender_email: null,
          sender_phone: null,
          created_at: '2026-12-03T09:30:00.000Z',
          updated_at: '2026-12-03T09:30:00.000Z',
        },
      },
    },
  },
  listPrayerRequests: {
    tag: 'Prayer requests',
    summary: 'List prayer requests',
    searched: 'title or description',
  },
  getPrayerRequest: { tag: 'Prayer requests', summary: 'Get a prayer request' },
  listForms: {
    tag: 'Forms',
    summary: 'List forms with their fields',
    searched: 'title',
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
      'The form must be published and accept responses. Each answer is checked by the type of its field: email ' +
      'addresses and phone numbers by their syntax (phone numbers are stored in E.164 format), `date` as `YYYY-MM-DD`, ' +
      '`time` as `HH:MM`, choices against the active options, `contact` by the parts that the field collects. Fields ' +
      'that are required must be answered; null, blank text and empty lists are no answers. Nobody is notified.',
    errors: ['form_closed'],
    example: {
      body: { answers: formResponseRecord.example.answers },
      answer: {
        data: {
          ...formResponseRecord.example,
          id: 'frs_01kbjv6q2hfx0v6g3m5e8wzr4t',
          submitted_at: '2026-12-03T09:30:00.000Z',
        },
      },
    },
  },
  getFormResponse: {
    tag: 'Forms',
    summary: 'Get a response to a form',
    description: 'A response under another form than its own is not found.',
  },
  listEvents: { tag: 'Events', summary: 'List events', searched: 'title' },
  getEvent: { tag: 'Events', summary: 'Get an event' },
  listServices: { tag: 'Services', summary: 'List services', searched: 'title' },
  getService: { tag: 'Services', summary: 'Get a service' },
  listDepartments: { tag: 'Departments', summary: 'List departments', searched: 'name' },
  getDepartment: { tag: 'Departments', summary: 'Get a department' },
  listTags: {
    tag: 'Tags',
    summary: 'List tags',
    description: 'The tags that can be added to members and removed from them.',
    searched: 'name',
  },
  getTag: {
    tag: 'Tags',
    summary: 'Get a tag',
    description: 'A tag that cannot be added to members is not found.',
  },
  listDesignations: {
    tag: 'Designations',
    summary: 'List designations',
    description: 'Their ids are what `designation_id` of a member takes.',
    searched: 'name',
  },
  getDesignation: { tag: 'Designations', summary: 'Get a designation' },
  listChanges: {
    tag: 'Changes',
    summary: 'List changes',
    description:
      'The records that were created, updated or removed since the cursor, each with its latest change, in the order ' +
      'of these changes. Without `cursor`: every record. `next_cursor` is always given: keep that of the last page, ' +
      'and continue from it later. `invalid_cursor` means that the cursor belongs to other resources, or that the ' +
      'records were restored: discard the copy and start without a cursor. Each resource needs the scope of its list.',
  },
} as const satisfies Record<string, OperationText>;

/** The name of an operation: the same in clients made from the description. */
export type OperationId = keyof typeof OPERATIONS;
