import { listDesignations } from '../../domain/designation.ts';
import { builder } from './builder.ts';
import { addRootList } from './connection.ts';
import { DesignationType } from './type-refs.ts';

builder.objectType(DesignationType, {
  description: 'A role or title of members. Its id is the value of `designationId` in inputs.',
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
  search: 'Returns only designations whose name contains every word of this text.',
});
