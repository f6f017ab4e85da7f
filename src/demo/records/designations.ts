import { searchTextOf } from '../../domain/values/search-text.ts';
import type { Prisma } from '../../store/generated/client.ts';
import { hoursAfterStart } from '../calendar.ts';
import { demoId, DEMO_ORGANIZATION_ID as organizationId } from '../ids.ts';

/** The designations, with the indexes of the members who have them: adults who are not guests. */
const DESIGNATIONS: readonly (readonly [name: string, holders: readonly number[]])[] = [
  ['Senior Pastor', [0]],
  ['Associate Pastor', [1, 30]],
  ['Elder', [3, 26, 51, 72, 99, 146]],
  ['Deacon', [5, 24, 41, 56, 75, 92, 109, 126, 145, 160]],
  ['Worship Leader', [8, 48, 102]],
  ['Youth Leader', [12, 62, 90, 132]],
  ['Small Group Leader', [6, 17, 28, 39, 50, 61, 74, 86, 98, 110, 122, 134]],
  ['Church Administrator', [2, 66]],
];

/** The designations of the demo organization. */
export function demoDesignations(): Prisma.DesignationCreateManyInput[] {
  return DESIGNATIONS.map(([name], index) => ({
    organizationId,
    id: demoId('dsg', index + 1),
    name,
    searchText: searchTextOf(name),
    createdAt: hoursAfterStart(0),
  }));
}

/** Returns the id of a member's designation by the member's index; null if there is none. */
export function designationOf(member: number): string | null {
  const index = DESIGNATIONS.findIndex(([, holders]) => holders.includes(member));
  return index < 0 ? null : demoId('dsg', index + 1);
}
