import { z } from 'zod';
import { text } from './fields.ts';
import { defineRecord } from './record.ts';

/** A tag (specification, "Tag"). */
export const tagRecord = defineRecord(
  z.object({
    id: text('The tag’s id.'),
    name: text('Name.'),
    slug: text('Name for addresses, unique in the organization.'),
    description: text('What the tag says of a member.').nullable(),
    category: text('Group of tags it belongs to.').nullable(),
    color: text('Color in which it is shown.').nullable(),
  }),
  {
    id: 'Tag',
    description: 'A tag that can be added to and removed from members: made by an administrator, and public.',
    example: {
      id: 'tag_01j00000000000000000000001',
      name: 'Volunteer',
      slug: 'volunteer',
      description: 'Serves on at least one team',
      category: 'Service',
      color: '#2E7D32',
    },
  },
);
