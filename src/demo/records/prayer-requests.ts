import { searchTextOf } from '../../domain/values/search-text.ts';
import type { Prisma } from '../../store/generated/client.ts';
import { hoursAfterStart, recordTimes } from '../calendar.ts';
import { demoId, DEMO_ORGANIZATION_ID as organizationId } from '../ids.ts';

interface DemoPrayerRequest {
  readonly title: string | null;
  readonly description: string;
  readonly sender?: string;
  readonly senderEmail?: string;
  readonly senderPhone?: string;
  /** Undefined while pending. */
  readonly hoursUntilAnswer?: number;
  readonly isArchived?: true;
}

const REQUESTS: readonly DemoPrayerRequest[] = [
  {
    title: 'Surgery on Thursday',
    sender: 'Maeve Mwangi',
    senderEmail: 'maeve.mwangi@example.org',
    senderPhone: '+12025550102',
    description: 'My mother has a hip operation this Thursday. Please pray for the surgeons and a calm recovery.',
  },
  {
    title: 'New job',
    sender: 'Declan Halloran',
    senderEmail: 'declan.halloran@example.net',
    hoursUntilAnswer: 410,
    description: 'I have been looking for work since the autumn and have two interviews next week.',
  },
  { title: null, description: 'For peace in our family. I would rather not say more.' },
  {
    title: 'Safe travels',
    sender: 'Giulia Sato',
    senderPhone: '(202) 555-0117',
    hoursUntilAnswer: 260,
    description: 'Our mission team flies out on Saturday. Pray for a safe journey there and back.',
  },
  { title: 'Exams', sender: 'Kai', description: 'Finals start on Monday and I am nervous about chemistry.' },
  {
    title: 'Grateful',
    sender: 'Harriet Ogden',
    senderEmail: 'harriet.ogden@example.com',
    hoursUntilAnswer: 30,
    isArchived: true,
    description: 'The biopsy came back clear. Thank you all for praying with us.',
  },
  {
    title: 'Our neighbours',
    sender: 'Tereza Larkin',
    senderEmail: 'tereza.larkin@example.net',
    description: 'A neighboring family lost their home in a fire. Pray that they find a place soon.',
  },
  { title: 'Marriage', description: 'We are going through a hard season. Please pray for patience and good counsel.' },
  {
    title: 'Visa decision',
    sender: 'Femi Abebe',
    senderEmail: 'femi.abebe@example.org',
    hoursUntilAnswer: 720,
    description: 'My sister has waited eleven months for her visa. The hearing is at the end of the month.',
  },
  {
    title: 'Baby on the way',
    sender: 'Camila Winslow',
    senderEmail: 'camila.winslow@example.com',
    senderPhone: '+1 703 555 0109',
    description: 'Our first child is due in six weeks. Pray for health and courage.',
  },
];

/** The prayer requests of the demo organization. */
export function demoPrayerRequests(): Prisma.PrayerRequestCreateManyInput[] {
  return REQUESTS.map(
    ({ title, description, sender, senderEmail, senderPhone, hoursUntilAnswer, isArchived }, index) => {
      const submittedHours = 100 + index * 170;
      return {
        organizationId,
        id: demoId('pry', index + 1),
        title,
        description,
        sender: sender ?? 'Anonymous',
        senderEmail: senderEmail ?? null,
        senderPhone: senderPhone ?? null,
        status: isArchived ? 'archived' : hoursUntilAnswer === undefined ? 'pending' : 'answered',
        answeredAt: hoursUntilAnswer === undefined ? null : hoursAfterStart(submittedHours + hoursUntilAnswer),
        searchText: searchTextOf(title, description),
        ...recordTimes(submittedHours, hoursUntilAnswer),
      };
    },
  );
}
