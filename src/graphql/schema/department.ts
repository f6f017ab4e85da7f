import { listDepartments } from '../../domain/department.ts';
import { pageArguments, projectionFor } from '../data/read.ts';
import { embeddedList, nestedConnection, readsColumns } from '../execution/field-extensions.ts';
import { builder } from './builder.ts';
import { addRootList, toConnection } from './connection.ts';
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
      description: 'Who leads the department. Scope: `members.view`.',
      ...readsColumns('headId'),
      resolve: async ({ headId }, _args, { loaders }) =>
        headId === null ? null : ((await loaders.members.load(headId)) ?? null),
    }),
    memberIds: t.exposeIDList('memberIds', {
      ...embeddedList,
      description: 'The ids of its members, in the order in which they joined.',
    }),
    membersCount: t.exposeInt('membersCount', { description: 'How many members it has.' }),
    members: t.field({
      type: MemberConnectionType,
      nullable: true,
      description:
        'Its members, in the order in which they joined. Scope: `members.view`. Costs one point for each place in the query.',
      ...nestedConnection,
      args: t.arg.connectionArgs(),
      resolve: async ({ id }, args, { loaders }, info) => {
        const projection = projectionFor(info);
        const page = await loaders.membersOfDepartment(id, pageArguments(args, projection), projection.fields);
        return toConnection(page, projection);
      },
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the department was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the department was last changed.' }),
  }),
});

addRootList(DepartmentType, {
  name: 'departments',
  one: 'A department',
  many: 'departments',
  list: listDepartments,
  description: 'The departments of the organization. Scope: `departments.view`.',
  search: 'Only departments whose name contains this text.',
});
