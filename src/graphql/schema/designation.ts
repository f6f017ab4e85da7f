import { listDesignations } from '../../domain/designation.ts';
import { rootConnection } from '../execution/field-extensions.ts';
import { builder } from './builder.ts';
import { readConnection } from './connection.ts';
import { DesignationType } from './type-refs.ts';

builder.objectType(DesignationType, {
  description: 'A role or title that members can have; its id is what `designationId` takes.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The designation’s id, the same as in REST.' }),
    name: t.exposeString('name', { description: 'Name.' }),
  }),
});

const DesignationConnectionType = builder.connectionObject(
  { type: DesignationType, name: 'DesignationConnection', description: 'A page of designations.' },
  { name: 'DesignationEdge', description: 'A designation in a list.' },
);

builder.queryField('designations', (t) =>
  t.field({
    type: DesignationConnectionType,
    nullable: true,
    description: 'The designations of the organization. Scope: `members.view`.',
    ...rootConnection,
    args: {
      search: t.arg.string({ description: 'Only designations whose name contains this text.' }),
      ...t.arg.connectionArgs(),
    },
    resolve: (_root, args, context, info) => readConnection(context, listDesignations, args, info),
  }),
);
