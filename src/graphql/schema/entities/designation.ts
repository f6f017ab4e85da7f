import { designation, getDesignation, listDesignations } from '../../../domain/entities/designation.ts';
import { listMembersOfDesignations } from '../../../domain/members/member-lists.ts';
import { membersOfDesignation } from '../../data/loaders.ts';
import { nestedConnection, requiresScopesOf } from '../../operation/field-extensions.ts';
import { addGet, addList, addType } from '../add-entity.ts';
import { readNestedConnection } from '../connection.ts';
import { MemberConnectionType } from './member.ts';

addType(designation, (t) => ({
  members: t.field({
    type: MemberConnectionType,
    nullable: true,
    description:
      'Its members, in the order in which they were added to the organization. Scope: `members.view`. Costs one point per selection, regardless of the number of designations.',
    ...requiresScopesOf(listMembersOfDesignations, nestedConnection),
    args: t.arg.connectionArgs(),
    resolve: ({ id }, args, context, info) => readNestedConnection(context, membersOfDesignation, id, args, info),
  }),
}));
addList(designation, listDesignations);
addGet(designation, getDesignation);
