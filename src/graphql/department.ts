import { listDepartments } from '../domain/department.ts';
import { builder } from './builder.ts';
import { call } from './call.ts';
import { toConnection } from './connection.ts';
import { MemberConnectionType } from './member.ts';
import { DepartmentType, MemberType } from './records.ts';
import { nestedConnection, partsOfRecord, rootConnection } from './size.ts';

builder.node(DepartmentType, {
  description: 'A department of the organization.',
  id: { resolve: (department) => department.id, description: 'The department’s id, the same as in REST.' },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name.' }),
    headOfDepartment: t.field({
      type: MemberType,
      nullable: true,
      description: 'Who leads the department. Scope: `members.view`.',
      resolve: async ({ head_id }, _args, { loaders }) =>
        head_id === null ? null : ((await loaders.members.load(head_id)) ?? null),
    }),
    memberIds: t.exposeIDList('member_ids', {
      ...partsOfRecord,
      description: 'The ids of its members, in the order in which they joined.',
    }),
    membersCount: t.exposeInt('members_count', { description: 'How many members it has.' }),
    members: t.field({
      type: MemberConnectionType,
      nullable: true,
      description:
        'Its members, in the order in which they joined. Scope: `members.view`. Costs one unit a place in the query.',
      ...nestedConnection,
      args: t.arg.connectionArgs(),
      resolve: async ({ id }, args, { loaders }) => toConnection(await loaders.membersOfDepartment(id, args)),
    }),
    createdAt: t.expose('created_at', { type: 'DateTime', description: 'When the department was made.' }),
    updatedAt: t.expose('updated_at', { type: 'DateTime', description: 'When the department was last changed.' }),
  }),
});

const DepartmentConnectionType = builder.connectionObject(
  { type: DepartmentType, name: 'DepartmentConnection', description: 'A page of departments.' },
  { name: 'DepartmentEdge', description: 'A department in a list.' },
);

builder.queryField('departments', (t) =>
  t.field({
    type: DepartmentConnectionType,
    nullable: true,
    description: 'The departments of the organization. Scope: `departments.view`.',
    ...rootConnection,
    args: {
      search: t.arg.string({ description: 'Only departments whose name contains this text.' }),
      ...t.arg.connectionArgs(),
    },
    resolve: async (_root, args, context) => toConnection(await call(context, listDepartments, args)),
  }),
);
