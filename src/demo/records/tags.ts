import { searchTextOf } from '../../domain/lists/search.ts';
import type { Prisma } from '../../store/generated/client.ts';
import { hoursAfterStart } from '../calendar.ts';
import { demoId, DEMO_ORGANIZATION_ID as organizationId } from '../ids.ts';
import { seededInteger } from '../seeded-random.ts';
import { isChild, isGuest } from './members.ts';
import type { Identity } from './persons.ts';

interface DemoTag {
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly color: string;
  readonly source?: 'system' | 'ai';
  readonly isPrivate?: true;
  /** Whether a member has it, by the member's index. */
  readonly has: (member: number) => boolean;
}

/** The index of the administrator who created the tags. */
const ADMINISTRATOR = 2;

/** Selects about one in `count` adult members who are not guests. */
function oneIn(count: number, purpose: string): (member: number) => boolean {
  return (member) => !isChild(member) && !isGuest(member) && seededInteger(member, purpose, count) === 0;
}

const TAGS: readonly DemoTag[] = [
  {
    name: 'Volunteer',
    category: 'Service',
    color: '#2E7D32',
    description: 'Serves on at least one team',
    has: oneIn(3, 'volunteer'),
  },
  {
    name: 'Choir',
    category: 'Service',
    color: '#6A1B9A',
    description: 'Sings in the Sunday choir',
    has: oneIn(8, 'choir'),
  },
  {
    name: 'Greeter',
    category: 'Service',
    color: '#00838F',
    description: 'Welcomes people at the entrance',
    has: oneIn(10, 'greeter'),
  },
  {
    name: 'Small Group',
    category: 'Community',
    color: '#1565C0',
    description: 'Meets with a small group in the week',
    has: oneIn(3, 'small group'),
  },
  {
    name: 'Youth',
    category: 'Community',
    color: '#EF6C00',
    description: 'Belongs to the youth programme',
    has: isChild,
  },
  {
    name: 'Parent',
    category: 'Community',
    color: '#AD1457',
    description: 'Has children in the church school',
    has: oneIn(4, 'parent'),
  },
  {
    name: 'Baptized',
    category: 'Milestone',
    color: '#0277BD',
    description: 'Was baptized in this church',
    has: oneIn(2, 'baptized'),
  },
  {
    name: 'New Member',
    category: 'Milestone',
    color: '#558B2F',
    description: 'Joined in the last three months',
    has: (member) => member >= 170 && !isGuest(member),
  },
  {
    name: 'First Aid',
    category: 'Skill',
    color: '#C62828',
    description: 'Holds a valid first aid certificate',
    has: oneIn(15, 'first aid'),
  },
  {
    name: 'Speaks Spanish',
    category: 'Skill',
    color: '#F9A825',
    description: 'Can interpret from and into Spanish',
    has: oneIn(9, 'spanish'),
  },
  {
    name: 'Pastoral Care',
    category: 'Care',
    color: '#5D4037',
    description: 'Is visited regularly by a pastor',
    isPrivate: true,
    has: oneIn(14, 'care'),
  },
  {
    name: 'Background Check Due',
    category: 'Compliance',
    color: '#455A64',
    isPrivate: true,
    description: 'Must renew the check for work with children',
    has: oneIn(18, 'check'),
  },
  {
    name: 'First-Time Guest',
    category: 'Attendance',
    color: '#9E9D24',
    source: 'system',
    description: 'Set by the system for people who are guests so far',
    has: isGuest,
  },
  {
    name: 'Inactive 90 Days',
    category: 'Attendance',
    color: '#757575',
    source: 'system',
    isPrivate: true,
    description: 'Set by the system after ninety days without attendance',
    has: oneIn(16, 'inactive'),
  },
  {
    name: 'Likely Group Leader',
    category: 'Suggestion',
    color: '#4527A0',
    source: 'ai',
    description: 'Suggested from attendance and service history',
    has: oneIn(17, 'leader'),
  },
  {
    name: 'May Need a Call',
    category: 'Suggestion',
    color: '#B71C1C',
    source: 'ai',
    isPrivate: true,
    description: 'Suggested from a change in attendance',
    has: oneIn(19, 'call'),
  },
];

/** The tags of the demo organization: of every source and privacy. */
export function demoTags(members: readonly Identity[]): Prisma.TagCreateManyInput[] {
  return TAGS.map(({ name, description, category, color, source = 'admin', isPrivate = false }, index) => ({
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
    TAGS.flatMap(({ has }, index) =>
      has(member)
        ? [{ organizationId, memberId: id, tagId: tagId(index), createdAt: hoursAfterStart(24 + member * 10) }]
        : [],
    ),
  );
}

function tagId(index: number): string {
  return demoId('tag', index + 1);
}
