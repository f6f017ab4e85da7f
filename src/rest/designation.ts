import { z } from 'zod';
import { text } from './fields.ts';
import { defineRecord } from './record.ts';

/** A designation (an addition to the specification: its id is what `designation_id` takes). */
export const designationRecord = defineRecord(
  z.object({
    id: text('The designation’s id: what `designation_id` takes.'),
    name: text('Name: what a member shows as `designation`.'),
  }),
  {
    id: 'Designation',
    description: 'A role or title that members can have.',
    example: { id: 'dsg_01j00000000000000000000001', name: 'Senior Pastor' },
  },
);
