import { searchTextOf } from '../../domain/values/search-text.ts';
import type { Prisma } from '../../store/generated/client.ts';
import { recordTimes } from '../calendar.ts';
import { demoId, DEMO_ORGANIZATION_ID as organizationId } from '../ids.ts';
import { isChild, isGuest } from './members.ts';
import type { Identity } from './persons.ts';

/** Each department with the index of the member who is its head, and its number of members. */
const DEPARTMENTS: readonly (readonly [name: string, head: number, size: number])[] = [
  ['Worship and Music', 8, 24],
  ['Children and Family', 30, 18],
  ['Youth Ministry', 12, 15],
  ['Hospitality', 26, 30],
  ['Pastoral Care', 1, 9],
  ['Missions and Outreach', 51, 21],
  ['Media and Sound', 48, 8],
  ['Building and Grounds', 72, 12],
  ['Finance', 99, 5],
  ['Prayer Ministry', 3, 16],
  ['Adult Education', 24, 11],
  ['Food Pantry', 92, 27],
];

/** The distance between the indexes of members. Coprime to the number of members, so that no member is repeated. */
const STEP = 37;

/** The departments of the demo organization. */
export function demoDepartments(members: readonly Identity[]): Prisma.DepartmentCreateManyInput[] {
  return DEPARTMENTS.map(([name, head], index) => ({
    organizationId,
    id: demoId('dep', index + 1),
    name,
    headId: (members[head] as Identity).id,
    searchText: searchTextOf(name),
    ...recordTimes(2 + index, index * 150),
  }));
}

/** The members of the demo organization's departments: the head, then others, without children and guests. */
export function demoDepartmentMembers(members: readonly Identity[]): Prisma.DepartmentMemberCreateManyInput[] {
  return DEPARTMENTS.flatMap(([, head, size], index) =>
    rosterOf(head, size, members.length).map((member) => ({
      organizationId,
      departmentId: demoId('dep', index + 1),
      memberId: (members[member] as Identity).id,
    })),
  );
}

function rosterOf(head: number, size: number, members: number): number[] {
  return [...Array(members).keys()]
    .map((step) => (head + step * STEP) % members)
    .filter((member) => !isChild(member) && !isGuest(member))
    .slice(0, size);
}
