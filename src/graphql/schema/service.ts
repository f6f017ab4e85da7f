import { listServices } from '../../domain/service.ts';
import { rootConnection } from '../execution/field-extensions.ts';
import { builder } from './builder.ts';
import { readConnection } from './connection.ts';
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

const ServiceConnectionType = builder.connectionObject(
  { type: ServiceType, name: 'ServiceConnection', description: 'A page of services.' },
  { name: 'ServiceEdge', description: 'A service in a list.' },
);

builder.queryField('services', (t) =>
  t.field({
    type: ServiceConnectionType,
    nullable: true,
    description: 'The services (gatherings) of the organization. Scope: `services.view`.',
    ...rootConnection,
    args: {
      search: t.arg.string({ description: 'Only services whose title contains this text.' }),
      ...t.arg.connectionArgs(),
    },
    resolve: (_root, args, context, info) => readConnection(context, listServices, args, info),
  }),
);
