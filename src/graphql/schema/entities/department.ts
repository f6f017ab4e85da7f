import { department, getDepartment, listDepartments } from '../../../domain/entities/department.ts';
import { member } from '../../../domain/entities/member.ts';
import { ENTITIES } from '../../../domain/entities/registry.ts';
import { listMembersOfDepartments } from '../../../domain/members/member-lists.ts';
import { embeddedList, extensions } from '../../data/field-extensions.ts';
import { recordLoaders } from '../../data/loaders.ts';
import { loadRecord } from '../../raw-json/read.ts';
import { addGet, addList, addType, typeOf } from '../add-entity.ts';
import { membersField } from './member.ts';

addType(department, (t) => ({
  headOfDepartment: t.field({
    type: typeOf(member),
    nullable: true,
    description: 'The head of the department. Scope: `members.view`.',
    ...extensions({
      scopes: ENTITIES.members.find.scopes,
      columns: ['headId'],
      textFields: ['firstName', 'lastName'],
    }),
    resolve: ({ headId }, _args, { loaders }, info) =>
      headId === null ? null : loadRecord(loaders.get(recordLoaders.members), headId, info),
  }),
  memberIds: t.exposeIDList('memberIds', {
    description: department.fields.member_ids.description,
    deprecationReason: 'Use `members`, which has pages.',
    ...extensions(embeddedList),
  }),
  members: membersField(
    t,
    listMembersOfDepartments,
    department,
    'Its members, in the order in which they joined the department.',
  ),
}));
addList(department, listDepartments);
addGet(department, getDepartment);
