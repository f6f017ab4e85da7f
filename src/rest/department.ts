import { z } from 'zod';
import { count, field, moment, text } from './fields.ts';
import { defineRecord } from './record.ts';

/** A department (specification, "Department"). */
export const departmentRecord = defineRecord(
  z
    .object({
      id: text('The department’s id.', 'dep_01j00000000000000000000001'),
      name: text('Name.', 'Worship and Music'),
      head_of_department: text('The full name of who leads it.', 'Hannah Kowalczyk').nullable(),
      member_ids: field(z.array(z.string()), 'The ids of its members, in the order in which they joined.', [
        'mem_01j00000000000000000000009',
        'mem_01j0000000000000000000001e',
      ]),
      members_count: count('How many members it has.', 2),
      created_at: moment('When the department was made.', '2026-01-05T11:00:00.000Z'),
      updated_at: moment('When the department was last changed.', '2026-01-05T11:00:00.000Z'),
    })
    .meta({ id: 'Department', description: 'A department of the organization.' }),
);
