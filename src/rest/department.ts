import { z } from 'zod';
import { count, moment, text } from './fields.ts';
import { defineRecord } from './record.ts';

/** A department (specification, "Department"). */
export const departmentRecord = defineRecord(
  z.object({
    id: text('The department’s id.'),
    name: text('Name.'),
    head_of_department: text('The full name of who leads it.').nullable(),
    member_ids: z.array(z.string()).meta({
      description:
        'The ids of its members, in the order in which they joined; of more than 200,000 the first ones. `members_count` counts all.',
    }),
    members_count: count('How many members it has.'),
    created_at: moment('When the department was made.'),
    updated_at: moment('When the department was last changed.'),
  }),
  {
    id: 'Department',
    description: 'A department of the organization.',
    example: {
      id: 'dep_01j00000000000000000000009',
      name: 'Finance',
      head_of_department: 'Duy Winslow',
      member_ids: [
        'mem_01j00000000000000000000034',
        'mem_01j00000000000000000000049',
        'mem_01j0000000000000000000005e',
        'mem_01j0000000000000000000000b',
        'mem_01j0000000000000000000002n',
      ],
      members_count: 5,
      created_at: '2026-01-05T19:00:00.000Z',
      updated_at: '2026-02-24T19:00:00.000Z',
    },
  },
);
