import { designation, getDesignation, listDesignations } from '../../../domain/entities/designation.ts';
import { listMembersOfDesignations } from '../../../domain/members/member-lists.ts';
import { addGet, addList, addType } from '../add-entity.ts';
import { membersField } from './member.ts';

addType(designation, (t) => ({
  members: membersField(
    t,
    listMembersOfDesignations,
    designation,
    'Its members, in the order in which they were added to the organization.',
  ),
}));
addList(designation, listDesignations);
addGet(designation, getDesignation);
