import { department, getDepartment, listDepartments } from '../../../domain/entities/department.ts';
import { member } from '../../../domain/entities/member.ts';
import { ENTITIES } from '../../../domain/entities/registry.ts';
import { listMembersOfDepartments } from '../../../domain/members/member-lists.ts';
import { membersOfDepartment, recordLoaders } from '../../data/loaders.ts';
import { loadRecord } from '../../data/read.ts';
import { embeddedList, linkedRecord, nestedConnection, requiresScopesOf } from '../../operation/field-extensions.ts';
import { addGet, addList, addType, typeOf } from '../add-entity.ts';
import { readNestedConnection } from '../connection.ts';
import { MemberConnectionType } from './member.ts';

addType(department, (t) => ({
  headOfDepartment: t.field({
    type: typeOf(member),
    nullable: true,
    description: 'The head of the department. Scope: `members.view`.',
    ...requiresScopesOf(ENTITIES.members.find, linkedRecord('headId', { textFields: ['firstName', 'lastName'] })),
    resolve: ({ headId }, _args, { loaders }, info) =>
      headId === null ? null : loadRecord(loaders.get(recordLoaders.members), headId, info),
  }),
  memberIds: t.exposeIDList('memberIds', {
    description: department.fields.member_ids.description,
    deprecationReason: 'Use `members`, which has pages.',
    ...embeddedList,
  }),
  members: t.field({
    type: MemberConnectionType,
    nullable: true,
    description:
      'Its members, in the order in which they joined the department. Scope: `members.view`. Costs one point per selection, regardless of the number of departments.',
    ...requiresScopesOf(listMembersOfDepartments, nestedConnection),
    args: t.arg.connectionArgs(),
    resolve: ({ id }, args, context, info) => readNestedConnection(context, membersOfDepartment, id, args, info),
  }),
}));
addList(department, listDepartments);
addGet(department, getDepartment);
