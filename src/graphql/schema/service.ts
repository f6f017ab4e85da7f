import { listServices } from '../../domain/service.ts';
import { builder } from './builder.ts';
import { addRootList } from './connection.ts';
import { ServiceType } from './type-refs.ts';

builder.objectType(ServiceType, {
  description: 'A service of the organization: a gathering on one day or a recurring one.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The service’s id, the same as in REST.' }),
    title: t.exposeString('title', { description: 'Title.' }),
    description: t.exposeString('description', { nullable: true, description: 'What it is about.' }),
    schedule: t.exposeString('schedule', { nullable: true, description: 'The schedule, free text.' }),
    date: t.expose('date', { type: 'Date', nullable: true, description: 'The date of a gathering on one day.' }),
    startDate: t.expose('startDate', {
      type: 'Date',
      nullable: true,
      description: 'The first day of a recurring gathering.',
    }),
    endDate: t.expose('endDate', {
      type: 'Date',
      nullable: true,
      description: 'The last day of a recurring gathering.',
    }),
    startTime: t.exposeString('startTime', {
      nullable: true,
      description: 'The time at which it starts, for example `10:00`.',
    }),
    endTime: t.exposeString('endTime', { nullable: true, description: 'The time at which it ends.' }),
    frequency: t.exposeString('frequency', { nullable: true, description: 'How often it takes place.' }),
    days: t.exposeStringList('days', { description: 'The days of the week on which it takes place.' }),
    location: t.exposeString('location', { nullable: true, description: 'Where it takes place.' }),
    recurringId: t.exposeString('recurringId', {
      nullable: true,
      description: 'The id of the series, shared by all its gatherings.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the service was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the service was last updated.' }),
  }),
});

addRootList(ServiceType, {
  name: 'services',
  one: 'A service',
  many: 'services',
  list: listServices,
  description: 'The services (gatherings) of the organization. Scope: `services.view`.',
  search: 'Returns only services whose title contains every word of this text.',
});
