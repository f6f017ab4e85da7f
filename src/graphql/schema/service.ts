import { listServices } from '../../domain/service.ts';
import { builder } from './builder.ts';
import { addRootList } from './connection.ts';
import { ServiceType } from './type-refs.ts';

builder.objectType(ServiceType, {
  description: 'A recurring or dated gathering of the organization.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The service’s id, the same as in REST.' }),
    title: t.exposeString('title', { description: 'Title.' }),
    description: t.exposeString('description', { nullable: true, description: 'What it is about.' }),
    schedule: t.exposeString('schedule', { nullable: true, description: 'Its schedule in words.' }),
    date: t.expose('date', { type: 'Date', nullable: true, description: 'The day of a single gathering.' }),
    startDate: t.expose('startDate', {
      type: 'Date',
      nullable: true,
      description: 'The first day of a recurring one.',
    }),
    endDate: t.expose('endDate', { type: 'Date', nullable: true, description: 'The last day of a recurring one.' }),
    startTime: t.exposeString('startTime', { nullable: true, description: 'When it starts, for example `10:00`.' }),
    endTime: t.exposeString('endTime', { nullable: true, description: 'When it ends.' }),
    frequency: t.exposeString('frequency', { nullable: true, description: 'How often it takes place.' }),
    days: t.exposeStringList('days', { description: 'On which days of the week.' }),
    location: t.exposeString('location', { nullable: true, description: 'Where it is.' }),
    recurringId: t.exposeString('recurringId', {
      nullable: true,
      description: 'Shared by the gatherings of one series.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the service was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the service was last changed.' }),
  }),
});

addRootList(ServiceType, {
  name: 'services',
  one: 'A service',
  many: 'services',
  list: listServices,
  description: 'The services (gatherings) of the organization. Scope: `services.view`.',
  search: 'Only services whose title contains this text.',
});
