import { z } from 'zod';
import { text } from './fields.ts';
import { defineRecord } from './record.ts';

/** A tag (specification, "Tag"). */
export const tagRecord = defineRecord(
  z
    .object({
      id: text('The tag’s id.', 'tag_01j00000000000000000000001'),
      name: text('Name.', 'Volunteer'),
      slug: text('Name for addresses, unique in the organization.', 'volunteer'),
      description: text('What the tag says of a member.', 'Serves on at least one team').nullable(),
      category: text('Group of tags it belongs to.', 'Service').nullable(),
      color: text('Color in which it is shown.', '#2E7D32').nullable(),
    })
    .meta({
      id: 'Tag',
      description: 'A tag that can be added to and removed from members: made by an administrator, and public.',
    }),
);
