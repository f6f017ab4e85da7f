import { type EventDate, listEvents } from '../../domain/event.ts';
import { embeddedList } from '../execution/field-extensions.ts';
import { builder } from './builder.ts';
import { addRootList } from './connection.ts';
import { EventType } from './type-refs.ts';

const EventDateType = builder.objectRef<EventDate>('EventDate').implement({
  description: 'A day of an event.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The date.' }),
    startTime: t.exposeString('start_time', {
      nullable: true,
      description: 'The time at which it starts, for example `18:30`.',
    }),
    endTime: t.exposeString('end_time', { nullable: true, description: 'The time at which it ends.' }),
  }),
});

builder.objectType(EventType, {
  description: 'An event of the organization.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The event’s id, the same as in REST.' }),
    title: t.exposeString('title', { description: 'Title.' }),
    description: t.exposeString('description', { nullable: true, description: 'What it is about.' }),
    eventType: t.exposeString('eventType', { nullable: true, description: 'The type of event, free text.' }),
    location: t.exposeString('location', { nullable: true, description: 'Where it takes place.' }),
    venue: t.exposeString('venue', { nullable: true, description: 'The building or room.' }),
    dates: t.field({
      type: [EventDateType],
      description: 'The days of the event.',
      ...embeddedList,
      resolve: (event) => event.dates,
    }),
    startTime: t.exposeString('startTime', {
      nullable: true,
      description: 'The time at which it starts, for example `18:30`.',
    }),
    endTime: t.exposeString('endTime', { nullable: true, description: 'The time at which it ends.' }),
    maximumParticipants: t.exposeInt('maximumParticipants', {
      nullable: true,
      description: 'The maximum number of participants.',
    }),
    participants: t.exposeInt('participants', { description: 'The number of participants.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the event was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the event was last updated.' }),
  }),
});

addRootList(EventType, {
  name: 'events',
  one: 'An event',
  many: 'events',
  list: listEvents,
  description: 'The events of the organization. Scope: `events.view`.',
  search: 'Returns only events whose title contains every word of this text.',
});
