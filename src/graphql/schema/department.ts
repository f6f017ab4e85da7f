import { listDepartments } from '../../domain/department.ts';
import { embeddedList, nestedConnection, readsColumns } from '../execution/field-extensions.ts';
import { builder } from './builder.ts';
import { addRootList, readNestedConnection } from './connection.ts';
import { MemberConnectionType } from './member.ts';
import { DepartmentType, MemberType } from './type-refs.ts';

builder.objectType(DepartmentType, {
  description: 'A department of the organization.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The department’s id, the same as in REST.' }),
    name: t.exposeString('name', { description: 'Name.' }),
    headOfDepartment: t.field({
      type: MemberType,
      nullable: true,
      description: 'The head of the department. Scope: `members.view`.',
      ...readsColumns('headId'),
      resolve: async ({ headId }, _args, { loaders }) =>
        headId === null ? null : ((await loaders.members.load(headId)) ?? null),
    }),
    memberIds: t.exposeIDList('memberIds', {
      ...embeddedList,
      description:
        'The ids of its members, in the order in which they joined the department; if there are more than 200,000, the first of them. `members` has all.',
    }),
    membersCount: t.exposeInt('membersCount', { description: 'The number of members.' }),
    members: t.field({
      type: MemberConnectionType,
      nullable: true,
      description:
        'Its members, in the order in which they joined the department. Scope: `members.view`. Costs one point per selection, regardless of the number of departments.',
      ...nestedConnection,
      args: t.arg.connectionArgs(),
      resolve: ({ id }, args, { loaders }, info) => readNestedConnection(loaders.membersOfDepartment, id, args, info),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the department was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the department was last updated.' }),
  }),
});

addRootList(DepartmentType, {
  name: 'departments',
  one: 'A department',
  many: 'departments',
  list: listDepartments,
  description: 'The departments of the organization. Scope: `departments.view`.',
  search: 'Returns only departments whose name contains every word of this text.',
});
