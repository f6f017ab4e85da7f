import { listDesignations } from '../../domain/designation.ts';
import { builder } from './builder.ts';
import { addRootList } from './connection.ts';
import { DesignationType } from './type-refs.ts';

builder.objectType(DesignationType, {
  description: 'A role or title that members can have; its id is what `designationId` takes.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The designation’s id, the same as in REST.' }),
    name: t.exposeString('name', { description: 'Name.' }),
  }),
});

addRootList(DesignationType, {
  name: 'designations',
  one: 'A designation',
  many: 'designations',
  list: listDesignations,
  description: 'The designations of the organization. Scope: `members.view`.',
  search: 'Only designations whose name contains this text.',
});
