import { searchTextOf } from '../../domain/values/search-text.ts';
import type { Prisma } from '../../store/generated/client.ts';
import { dateOf, recordTimes } from '../calendar.ts';
import { demoId, DEMO_ORGANIZATION_ID as organizationId } from '../ids.ts';

interface DemoService {
  readonly title: string;
  readonly description: string | null;
  readonly startTime: string;
  readonly endTime: string;
  readonly location: string;
  /** The number of the series; a recurring service defines it, and a one-time service may belong to it. */
  readonly series?: number;
  /** The date of a one-time service; undefined if it recurs. */
  readonly date?: string;
  readonly recurs?: {
    readonly frequency: 'weekly' | 'monthly';
    readonly days: readonly string[];
    readonly start: string;
    readonly end?: string;
  };
}

const SERVICES: readonly DemoService[] = [
  {
    title: 'Sunday Morning Worship',
    description: 'Songs, prayer, a sermon, and coffee afterwards.',
    series: 1,
    startTime: '09:00',
    endTime: '10:15',
    location: 'Main Sanctuary',
    recurs: { frequency: 'weekly', days: ['Sunday'], start: '2026-01-11' },
  },
  {
    title: 'Sunday Late Worship',
    description: 'The same service with a band.',
    series: 2,
    startTime: '11:00',
    endTime: '12:15',
    location: 'Main Sanctuary',
    recurs: { frequency: 'weekly', days: ['Sunday'], start: '2026-01-11' },
  },
  {
    title: 'Culto en Español',
    description: 'Culto dominical en español.',
    series: 3,
    startTime: '17:00',
    endTime: '18:15',
    location: 'Chapel',
    recurs: { frequency: 'weekly', days: ['Sunday'], start: '2026-01-18' },
  },
  {
    title: 'Midweek Prayer',
    description: 'Half an hour of prayer before work.',
    series: 4,
    startTime: '07:00',
    endTime: '07:30',
    location: 'Chapel',
    recurs: { frequency: 'weekly', days: ['Tuesday', 'Thursday'], start: '2026-01-13' },
  },
  {
    title: 'Youth Night',
    description: 'For ages 12 to 18: games, a talk and pizza.',
    series: 5,
    startTime: '18:30',
    endTime: '20:30',
    location: 'Youth Hall',
    recurs: { frequency: 'weekly', days: ['Friday'], start: '2026-01-16', end: '2026-12-18' },
  },
  {
    title: 'Sunday School',
    description: null,
    series: 6,
    startTime: '09:00',
    endTime: '10:00',
    location: 'Classrooms 1 to 4',
    recurs: { frequency: 'weekly', days: ['Sunday'], start: '2026-01-11', end: '2026-06-14' },
  },
  {
    title: 'Evening Communion',
    description: 'A quiet service by candlelight.',
    series: 7,
    startTime: '19:00',
    endTime: '20:00',
    location: 'Chapel',
    recurs: { frequency: 'monthly', days: ['Wednesday'], start: '2026-02-04' },
  },
  {
    title: 'Sunday Morning Worship: Baptism Sunday',
    description: 'Baptisms in the first service.',
    series: 1,
    startTime: '09:00',
    endTime: '10:45',
    location: 'Main Sanctuary',
    date: '2026-03-15',
  },
  {
    title: 'Good Friday Service',
    description: 'Readings and music on the Passion.',
    startTime: '12:00',
    endTime: '13:30',
    location: 'Main Sanctuary',
    date: '2026-04-03',
  },
  {
    title: 'Easter Sunrise Service',
    description: 'Outdoors; bring a blanket.',
    startTime: '06:15',
    endTime: '07:15',
    location: 'Lakeside Lawn',
    date: '2026-04-05',
  },
  {
    title: 'Youth Night: Open Stage',
    description: 'Everybody plays, sings or reads something.',
    series: 5,
    startTime: '18:30',
    endTime: '21:00',
    location: 'Youth Hall',
    date: '2026-05-22',
  },
  {
    title: 'Thanksgiving Eve Service',
    description: null,
    startTime: '19:00',
    endTime: '20:00',
    location: 'Main Sanctuary',
    date: '2026-11-25',
  },
  {
    title: 'Christmas Eve Candlelight Service',
    description: 'Lessons and carols for the whole family.',
    startTime: '17:00',
    endTime: '18:00',
    location: 'Main Sanctuary',
    date: '2026-12-24',
  },
];

/** The services of the demo organization: recurring ones, and one-time ones within and outside of a series. */
export function demoServices(): Prisma.ServiceCreateManyInput[] {
  return SERVICES.map(({ title, description, startTime, endTime, location, series, date, recurs }, index) => ({
    organizationId,
    id: demoId('svc', index + 1),
    title,
    description,
    schedule: recurs ? 'recurring' : 'one_time',
    date: date === undefined ? null : dateOf(date),
    startDate: recurs ? dateOf(recurs.start) : null,
    endDate: recurs?.end === undefined ? null : dateOf(recurs.end),
    startTime,
    endTime,
    frequency: recurs?.frequency ?? null,
    days: [...(recurs?.days ?? [])],
    location,
    recurringId: series === undefined ? null : demoId('rec', series),
    searchText: searchTextOf(title),
    ...recordTimes(4 + index * 40, index % 4 === 1 ? 60 : 0),
  }));
}
