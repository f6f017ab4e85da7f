import { defineCreate } from '../definition/create.ts';
import { defineDelete } from '../definition/delete.ts';
import { defineEntity } from '../definition/entity.ts';
import { count, id, recordTime, reference, text } from '../definition/field.ts';
import { defineGet } from '../definition/find.ts';
import { defineList } from '../definition/list.ts';
import { changesSchema, defineUpdate } from '../definition/update.ts';
import { member } from './member.ts';

const inputOf = ['create', 'update'] as const;

/** Announcements. */
export const announcement = defineEntity({
  name: 'Announcement',
  plural: 'announcements',
  description: 'An announcement to the members of the organization.',
  scope: 'announcements.view',
  table: 'announcement',
  alias: 'a',
  prefix: 'ann',
  fields: {
    id: id('The announcement’s id.', { example: 'ann_01j00000000000000000000001' }),
    title: text('Title.', { required: true, searchable: true, inputOf, example: 'Parking' }),
    priority: count('Announcements with a high number are shown first.', { required: true, inputOf, example: 3 }),
    member_id: reference(member, 'The member to ask.', { inputOf, example: 'mem_01j00000000000000000000001' }),
    created_at: recordTime('When it was created.', { example: '2026-01-05T15:00:00.000Z' }),
    updated_at: recordTime('When it was last updated.', { example: '2026-01-05T15:00:00.000Z' }),
  },
});

/** The operations of announcements in both APIs. */
export const announcementOperations = {
  list: defineList(announcement),
  get: defineGet(announcement),
  create: defineCreate(announcement, { name: 'createAnnouncement', scope: 'announcements.create' }),
  update: defineUpdate(announcement, {
    name: 'updateAnnouncement',
    scope: 'announcements.update',
    changes: changesSchema(announcement),
  }),
  delete: defineDelete(announcement, { name: 'deleteAnnouncement', scope: 'announcements.delete' }),
};
