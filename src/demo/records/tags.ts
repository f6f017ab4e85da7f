import { searchTextOf } from '../../domain/values/search-text.ts';
import type { Prisma } from '../../store/generated/client.ts';
import { hoursAfterStart } from '../calendar.ts';
import { demoId, DEMO_ORGANIZATION_ID as organizationId } from '../ids.ts';
import { seededInteger } from '../seeded-random.ts';
import { isChild, isGuest } from './members.ts';
import type { Identity } from './persons.ts';

type DemoTag = readonly [
  name: string,
  category: string,
  color: string,
  description: string,
  /** Whether the member with this index has the tag. */
  has: (member: number) => boolean,
  options?: { readonly source?: 'system' | 'ai'; readonly isPrivate?: true },
];

/** The index of the administrator who created the tags. */
const ADMINISTRATOR = 2;

/** Selects about one in `count` adult members who are not guests. */
function oneIn(count: number, purpose: string): (member: number) => boolean {
  return (member) => !isChild(member) && !isGuest(member) && seededInteger(member, purpose, count) === 0;
}

const TAGS: readonly DemoTag[] = [
  ['Volunteer', 'Service', '#2E7D32', 'Serves on at least one team', oneIn(3, 'volunteer')],
  ['Choir', 'Service', '#6A1B9A', 'Sings in the Sunday choir', oneIn(8, 'choir')],
  ['Greeter', 'Service', '#00838F', 'Welcomes people at the entrance', oneIn(10, 'greeter')],
  ['Small Group', 'Community', '#1565C0', 'Meets with a small group in the week', oneIn(3, 'small group')],
  ['Youth', 'Community', '#EF6C00', 'Belongs to the youth programme', isChild],
  ['Parent', 'Community', '#AD1457', 'Has children in the church school', oneIn(4, 'parent')],
  ['Baptized', 'Milestone', '#0277BD', 'Was baptized in this church', oneIn(2, 'baptized')],
  [
    'New Member',
    'Milestone',
    '#558B2F',
    'Joined in the last three months',
    (member) => member >= 170 && !isGuest(member),
  ],
  ['First Aid', 'Skill', '#C62828', 'Holds a valid first aid certificate', oneIn(15, 'first aid')],
  ['Speaks Spanish', 'Skill', '#F9A825', 'Can interpret from and into Spanish', oneIn(9, 'spanish')],
  ['Pastoral Care', 'Care', '#5D4037', 'Is visited regularly by a pastor', oneIn(14, 'care'), { isPrivate: true }],
  [
    'Background Check Due',
    'Compliance',
    '#455A64',
    'Must renew the check for work with children',
    oneIn(18, 'check'),
    { isPrivate: true },
  ],
  [
    'First-Time Guest',
    'Attendance',
    '#9E9D24',
    'Set by the system for people who are guests so far',
    isGuest,
    { source: 'system' },
  ],
  [
    'Inactive 90 Days',
    'Attendance',
    '#757575',
    'Set by the system after ninety days without attendance',
    oneIn(16, 'inactive'),
    { source: 'system', isPrivate: true },
  ],
  [
    'Likely Group Leader',
    'Suggestion',
    '#4527A0',
    'Suggested from attendance and service history',
    oneIn(17, 'leader'),
    { source: 'ai' },
  ],
  [
    'May Need a Call',
    'Suggestion',
    '#B71C1C',
    'Suggested from a change in attendance',
    oneIn(19, 'call'),
    { source: 'ai', isPrivate: true },
  ],
];

/** The tags of the demo organization, with every combination of source and privacy. */
export function demoTags(members: readonly Identity[]): Prisma.TagCreateManyInput[] {
  return TAGS.map(([name, category, color, description, , { source = 'admin', isPrivate = false } = {}], index) => ({
    organizationId,
    id: tagId(index),
    name,
    slug: name.toLowerCase().replaceAll(' ', '-'),
    description,
    category,
    color,
    source,
    privacy: isPrivate ? 'private' : 'public',
    createdBy: source === 'admin' ? (members[ADMINISTRATOR] as Identity).id : source,
    searchText: searchTextOf(name),
    createdAt: hoursAfterStart(1 + index),
  }));
}

/** The tags of the demo organization's members. */
export function demoMemberTags(members: readonly Identity[]): Prisma.MemberTagCreateManyInput[] {
  return members.flatMap(({ id }, member) =>
    TAGS.flatMap(([, , , , has], index) =>
      has(member)
        ? [{ organizationId, memberId: id, tagId: tagId(index), createdAt: hoursAfterStart(24 + member * 10) }]
        : [],
    ),
  );
}

function tagId(index: number): string {
  return demoId('tag', index + 1);
}
