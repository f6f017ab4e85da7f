import { searchTextOf } from '../../domain/values/search-text.ts';
import type { Prisma } from '../../store/generated/client.ts';
import { dayAfterStart, recordTimes } from '../calendar.ts';
import { demoId, DEMO_ORGANIZATION_ID as organizationId } from '../ids.ts';
import { seededInteger } from '../seeded-random.ts';

type DemoEvent = readonly [
  title: string,
  description: string | null,
  type: string,
  /** The location, if known. */
  place: keyof typeof PLACES | null,
  /** Its days, as numbers of days after the organization's first day. */
  on: readonly number[],
  hours: `${string}-${string}` | null,
  /** The maximum number of participants, if limited. */
  maximum: number | null,
];

const CAMPUS = '400 Cedar Grove Road, Silver Spring, MD 20910';
const PLACES = {
  hall: { venue: 'Fellowship Hall', location: CAMPUS },
  sanctuary: { venue: 'Main Sanctuary', location: CAMPUS },
  youth: { venue: 'Youth Hall', location: CAMPUS },
  classroom: { venue: 'Classroom 2', location: CAMPUS },
  lawn: { venue: 'Lakeside Lawn', location: CAMPUS },
  park: { venue: 'Picnic Area C', location: 'Sligo Creek Park, Takoma Park, MD 20912' },
  lake: { venue: 'Pine Lake Retreat Center', location: '77 Pine Lake Road, Thurmont, MD 21788' },
  online: { venue: 'Video call', location: 'Online' },
} as const;

const EVENTS: readonly DemoEvent[] = [
  ['New Year Prayer Walk', 'Three miles, with stops to pray.', 'outreach', 'park', [12], '09:30-11:30', 80],
  ['Volunteer Training', 'How we serve, and who to ask.', 'training', 'hall', [19], '10:00-13:00', 60],
  ['Marriage Course', 'Six evenings for couples.', 'class', 'hall', days(29, 6, 7), '19:00-21:00', 40],
  ["Parents' Breakfast", 'Coffee, pancakes, and a talk.', 'social', 'hall', [33], '08:30-10:30', 70],
  ['Blood Drive', 'Please eat before you come.', 'outreach', 'hall', [40], '09:00-15:00', 120],
  ['First Aid Course', 'Certificate after both days.', 'training', 'classroom', days(47, 2), '09:00-16:00', 16],
  ['Lenten Bible Study', 'Five Wednesdays with Mark.', 'class', 'classroom', days(44, 5, 7), '19:00-20:30', 25],
  ['Church Council Meeting', null, 'meeting', 'classroom', [50], '18:30-20:30', 15],
  ['Youth Lock-In', 'Games, a film, hardly any sleep.', 'youth', 'youth', [53], '20:00-08:00', 45],
  ['Choir Workshop', 'Open to everybody who likes to sing.', 'music', 'sanctuary', [61], '10:00-15:00', 50],
  ['Spring Clean-Up', 'Gloves are there; children welcome.', 'service', 'lawn', [75], '09:00-12:00', null],
  ["Newcomers' Lunch", 'Meet the pastors and one another.', 'social', 'hall', [83], '12:30-14:00', 35],
  ['Easter Egg Hunt', 'For children up to ten.', 'family', 'lawn', [89], '10:00-11:30', 150],
  ['Neighbourhood Food Drive', 'Street by street, for the pantry.', 'outreach', 'hall', [103], '10:00-14:00', null],
  ["Women's Retreat", 'A weekend of rest.', 'retreat', 'lake', days(116, 3), '17:00-14:00', 60],
  ["Men's Breakfast", null, 'social', 'hall', [124], '07:30-09:00', 50],
  ["Annual Members' Meeting", 'Reports, budget, elections.', 'meeting', 'sanctuary', [132], '12:30-14:30', null],
  ['Spring Concert', 'Choir, band, and the children.', 'music', 'sanctuary', [138], '19:00-21:00', 300],
  ['Graduation Sunday Brunch', 'For graduates and families.', 'social', 'hall', [153], '12:15-14:00', 90],
  ['Vacation Bible School', 'Five mornings for ages 4 to 11.', 'family', 'classroom', days(168, 5), '09:00-12:00', 80],
  ['Church Picnic', 'Bring a dish to share.', 'social', 'park', [181], '12:00-17:00', null],
  ['Summer Retreat', 'Four days by the lake.', 'retreat', 'lake', days(192, 4), '15:00-13:00', 120],
  ['Mission Trip Information Evening', 'Ask about next year.', 'outreach', 'online', [205], '19:30-20:30', null],
  ['Back-to-School Supplies Drive', 'Backpacks for two hundred.', 'outreach', 'hall', [222], '09:00-13:00', null],
  ["Leaders' Planning Day", null, 'meeting', 'classroom', [236], '09:00-15:30', 30],
  ['Small Groups Kick-Off', 'Find a group for the year.', 'community', 'hall', [244], '18:00-20:00', 200],
  ['Outdoor Film Night', 'Bring a chair.', 'family', 'lawn', [251], '19:30-22:00', 150],
  ['Grief Support Group', 'Eight evenings, a small circle.', 'care', 'classroom', days(261, 8, 7), '18:30-20:00', 12],
  ['Harvest Festival', 'Games, soup, and a cake auction.', 'family', 'lawn', [292], '14:00-18:00', 250],
  ['Community Thanksgiving Meal', 'A warm table for everyone.', 'outreach', 'hall', [324], '12:00-15:00', 180],
  ['Advent Wreath Making', 'Material for every family is there.', 'family', 'hall', [327], '14:00-16:00', 40],
  ['Christmas Concert', 'Two evenings.', 'music', 'sanctuary', days(341, 2), '19:00-20:45', 300],
  ['Budget Review', null, 'meeting', 'online', [375], '19:00-20:30', null],
  ['Winter Youth Camp', 'Snow permitting.', 'youth', 'lake', days(403, 3), '17:00-13:00', 60],
  ['Easter Breakfast', null, 'social', 'hall', [447], '07:30-09:00', 120],
  ['Mission Trip 2027', 'Building with our partner church.', 'outreach', null, days(540, 10), null, 24],
  ['Fiftieth Anniversary Celebration', 'Programme to follow.', 'community', 'sanctuary', [635], null, 400],
];

/** The events of the demo organization: past and future, of one and several days. */
export function demoEvents(): Prisma.EventCreateManyInput[] {
  return EVENTS.map(([title, description, eventType, place, on, hours, maximumParticipants], index) => {
    const [startTime = null, endTime = null] = hours?.split('-') ?? [];
    return {
      organizationId,
      id: demoId('evt', index + 1),
      title,
      description,
      eventType,
      location: place && PLACES[place].location,
      venue: place && PLACES[place].venue,
      dates: datesOf(on, startTime, endTime),
      startTime,
      endTime,
      maximumParticipants,
      participants: seededInteger(index, 'participants', (maximumParticipants ?? 90) + 1),
      searchText: searchTextOf(title),
      ...recordTimes(6 + index * 30, index % 3 === 0 ? 100 : 0),
    };
  });
}

/** The dates of an event. An overnight event starts on the first day and ends on the last; others have daily hours. */
function datesOf(on: readonly number[], start: string | null, end: string | null): Prisma.InputJsonArray {
  const isOvernight = on.length > 1 && start !== null && end !== null && end < start;
  return on.map((day, at) => ({
    date: dayAfterStart(day),
    start_time: isOvernight && at > 0 ? null : start,
    end_time: isOvernight && at < on.length - 1 ? null : end,
  }));
}

function days(first: number, times: number, apart = 1): number[] {
  return [...Array(times).keys()].map((turn) => first + turn * apart);
}
