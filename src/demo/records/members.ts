import { searchPhoneOf, searchTextOf } from '../../domain/values/search-text.ts';
import type { Prisma } from '../../store/generated/client.ts';
import { dateOf, recordTimes } from '../calendar.ts';
import { DEMO_ORGANIZATION_ID as organizationId } from '../ids.ts';
import { nth, pick, seededInteger } from '../seeded-random.ts';
import { designationOf } from './designations.ts';
import { nameOf } from './names.ts';
import type { Identity } from './persons.ts';

/** The number of members of the demo organization. */
export const MEMBER_COUNT = 200;

/** The first members have a value in each field, because documentation shows them. */
const COMPLETE_MEMBER_COUNT = 3;

interface Home {
  readonly address: string;
  readonly city: string;
  readonly state: string | null;
  readonly zipCode: string;
  readonly country: string;
}

const STREETS = [
  'Maple Avenue',
  'Cedar Lane',
  'Willow Court',
  'Juniper Street',
  'Chestnut Drive',
  'Birch Terrace',
  'Linden Road',
  'Sycamore Street NW',
  'Orchard Hill Road',
  'Millrace Lane',
  'Old Ferry Road',
  'Laurel Place',
];
const TOWNS = [
  { city: 'Silver Spring', state: 'MD', zipCode: '20910' },
  { city: 'Takoma Park', state: 'MD', zipCode: '20912' },
  { city: 'Washington', state: 'DC', zipCode: '20011' },
  { city: 'Hyattsville', state: 'MD', zipCode: '20782' },
  { city: 'Arlington', state: 'VA', zipCode: '22201' },
  { city: 'Alexandria', state: 'VA', zipCode: '22301' },
];
const MARITAL_STATUSES = 'Married Married Married Married Married Single Single Single Widowed Divorced'.split(' ');
const AREA_CODES = ['202', '240', '301', '571', '703'];

type HomeAbroad = readonly [
  phoneNumber: string,
  address: string,
  city: string,
  state: string | null,
  zipCode: string,
  country: string,
];

/** Members abroad, by index; their phone numbers are from the ranges reserved for fiction. */
const ABROAD: Readonly<Record<number, HomeAbroad>> = {
  37: ['+442079460137', '14 Larkspur Road', 'London', null, 'SE15 4QN', 'United Kingdom'],
  87: ['+61491570156', '3 Banksia Street', 'Newcastle', 'NSW', '2300', 'Australia'],
  137: ['+33199001237', '8 rue des Tilleuls', 'Lyon', null, '69003', 'France'],
  187: ['+447700900187', '21 Heatherbank', 'Edinburgh', null, 'EH6 5QX', 'United Kingdom'],
};

/** Whether a member, by its index, is a guest. */
export function isGuest(index: number): boolean {
  return index % 12 === 11;
}

/** Whether a member, by its index, is a child. */
export function isChild(index: number): boolean {
  return index % 9 === 4;
}

/** Returns the members of the demo organization. @param identities their persons, by index. */
export function demoMembers(identities: readonly Identity[]): Prisma.MemberCreateManyInput[] {
  return identities.map(({ id, emailAddress }, index) => {
    const { firstName, lastName, gender } = nameOf(index);
    const home = homeOf(index);
    const phoneNumber = phoneNumberOf(index);
    return {
      organizationId,
      id,
      firstName,
      lastName,
      emailAddress,
      phoneNumber,
      gender: isUnknown(index, 'gender', 14) ? null : gender,
      maritalStatus: maritalStatusOf(index),
      dateOfBirth: dateOfBirthOf(index),
      address: home?.address ?? null,
      city: home?.city ?? null,
      state: home?.state ?? null,
      zipCode: home?.zipCode ?? null,
      country: home?.country ?? null,
      designationId: designationOf(index),
      isGuest: isGuest(index),
      searchText: searchTextOf(firstName, lastName, emailAddress, home?.address, phoneNumber),
      searchPhone: searchPhoneOf(phoneNumber),
      ...recordTimes(
        index * 9.5 + seededInteger(index, 'entered', 8),
        index % 3 === 0 ? 1 + seededInteger(index, 'changed', 400) : 0,
      ),
    };
  });
}

/** Returns a member's phone number in E.164 by the member's index. American ones are 555-01xx, reserved for fiction. */
export function phoneNumberOf(index: number): string | null {
  const [phoneNumberAbroad] = ABROAD[index] ?? [];
  if (phoneNumberAbroad) return phoneNumberAbroad;
  if (isChild(index) || isUnknown(index, 'phone', 9)) return null;
  const line = String(Math.floor(index / AREA_CODES.length)).padStart(2, '0');
  return `+1${nth(AREA_CODES, index)}55501${line}`;
}

function homeOf(index: number): Home | undefined {
  const abroad = ABROAD[index];
  if (abroad) {
    const [, address, city, state, zipCode, country] = abroad;
    return { address, city, state, zipCode, country };
  }
  if (isUnknown(index, 'home', isGuest(index) ? 2 : 8)) return undefined;
  const address = `${1 + seededInteger(index, 'house', 2400)} ${pick(STREETS, index, 'street')}`;
  return { address, ...pick(TOWNS, index, 'town'), country: 'United States' };
}

function maritalStatusOf(index: number): string | null {
  if (isChild(index)) return 'Single';
  if (isUnknown(index, 'marital status', 6)) return null;
  return pick(MARITAL_STATUSES, index, 'marital');
}

function dateOfBirthOf(index: number): Date | null {
  if (isUnknown(index, 'birth', isGuest(index) ? 2 : 10)) return null;
  const year = isChild(index) ? 2010 + seededInteger(index, 'year', 10) : 1941 + seededInteger(index, 'year', 62);
  const [month, day] = [1 + seededInteger(index, 'month', 12), 1 + seededInteger(index, 'day', 28)];
  return dateOf([year, month, day].map((part) => String(part).padStart(2, '0')).join('-'));
}

/** Whether a member has no value in a field: about one in `oneIn` members. */
function isUnknown(index: number, field: string, oneIn: number): boolean {
  return index >= COMPLETE_MEMBER_COUNT && seededInteger(index, field, oneIn) === 0;
}
