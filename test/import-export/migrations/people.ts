import { nth, pick, seededInteger } from '../../support/seeded-random.ts';

/** An invented person as a row of an export. */
export interface Person {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly isFemale: boolean;
  readonly isChild: boolean;
  readonly isMarried: boolean;
  readonly household: number;
  readonly isHead: boolean;
  /** The cell of the email address: an address, text that is none, or empty. */
  readonly email: string;
  readonly hasValidEmail: boolean;
  /** Digits after the area code; undefined if the person has no phone number. */
  readonly phone: string | undefined;
  readonly birthday: { readonly year: number; readonly month: number; readonly day: number } | undefined;
  readonly houseNumber: number;
  /** Whether some optional cells have values that nothing accepts. Only people without a valid address have them. */
  readonly hasInvalidCells: boolean;
  readonly designation: string;
  readonly tags: readonly string[];
}

/** The words of a church's language. */
export interface Vocabulary {
  readonly femaleNames: readonly string[];
  readonly maleNames: readonly string[];
  readonly lastNames: readonly string[];
  readonly designations: readonly string[];
}

/** The tags of every church; one contains the separator of lists. */
export const TAGS = ['Choir', 'Youth', 'Welcome, Café', 'Prayer'];

/** Who has an address in a household. */
const HOUSEHOLDS = ['each adult', 'each adult', 'each adult', 'one for all', 'one for the adults', 'nobody', 'invalid'];

/**
 * Invents the people of a church, in the order of their export. The same arguments give the same people.
 *
 * @param domain the domain of all addresses.
 * @param count the approximate number of people.
 */
export function inventPeople(vocabulary: Vocabulary, domain: string, count: number): Person[] {
  const people: Person[] = [];
  for (let household = 1; people.length < count; household++) {
    people.push(...inventHousehold(vocabulary, domain, household, people.length + 1));
  }
  const copies = people.filter(({ id }) => id % 40 === 7).map((person) => ({ ...person }));
  const entriesWithNewIds = people
    .filter(({ id, hasValidEmail }) => hasValidEmail && id % 40 === 23)
    .map((person) => ({ ...person, id: person.id + 100_000 }));
  return shuffle([...people, ...copies, ...entriesWithNewIds], domain);
}

function inventHousehold(vocabulary: Vocabulary, domain: string, household: number, firstId: number): Person[] {
  const random = (purpose: string, bound: number) => seededInteger(household, `${domain} ${purpose}`, bound);
  const adults = 1 + random('adults', 2);
  const children = adults === 2 ? random('children', 4) : 0;
  const lastName = pick(vocabulary.lastNames, household, `${domain} last name`);
  const addresses = pick(HOUSEHOLDS, household, `${domain} addresses`);
  return Array.from({ length: adults + children }, (_, at) => {
    const id = firstId + at;
    const isChild = at >= adults;
    const email = emailOf(addresses, isChild, { id, household, domain });
    const hasValidEmail = email.includes('@') && !email.includes(' ');
    return {
      ...inventPerson(vocabulary, domain, id, isChild),
      id,
      lastName,
      isChild,
      isMarried: adults === 2 && !isChild,
      household,
      isHead: at === 0,
      email: hasValidEmail && id % 10 === 3 ? email.toUpperCase() : email,
      hasValidEmail,
      houseNumber: 1 + random('house number', 200),
      hasInvalidCells: !hasValidEmail && id % 3 === 0,
    };
  });
}

function inventPerson(vocabulary: Vocabulary, domain: string, id: number, isChild: boolean) {
  const random = (purpose: string, bound: number) => seededInteger(id, `${domain} ${purpose}`, bound);
  const isFemale = random('gender', 2) === 0;
  const names = isFemale ? vocabulary.femaleNames : vocabulary.maleNames;
  return {
    firstName: pick(names, id, `${domain} first name`),
    isFemale,
    phone: isChild || random('phone', 5) === 0 ? undefined : String(1_000_000 + random('number', 9_000_000)),
    birthday:
      random('birthday', 6) === 0
        ? undefined
        : {
            year: (isChild ? 2010 : 1930) + random('year', isChild ? 14 : 60),
            month: 1 + random('month', 12),
            day: 1 + random('day', 28),
          },
    designation: pick(vocabulary.designations, id, `${domain} designation`),
    tags: TAGS.filter((tag) => random(tag, 4) === 0),
  };
}

function emailOf(
  addresses: string,
  isChild: boolean,
  { id, household, domain }: { readonly id: number; readonly household: number; readonly domain: string },
): string {
  if (addresses === 'one for all' || (addresses === 'one for the adults' && !isChild))
    return `family${household}@${domain}`;
  if (addresses === 'invalid')
    return nth([`person${id}`, `person${id} at ${domain}`, `a${id}@${domain}, b${id}@${domain}`], id);
  return addresses === 'each adult' && !isChild ? `person${id}@${domain}` : '';
}

function shuffle<Item>(items: readonly Item[], seed: string): Item[] {
  const keys = items.map((item, at) => ({ item, key: seededInteger(at, `${seed} order`, 1_000_000) }));
  return keys.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

/** What an import must do with a row. */
export type Expectation = 'member' | 'unchanged' | { readonly rejected: readonly RegExp[] };

/**
 * The expectation of each row: the first row with an address gets it, even if others of the household have the same.
 *
 * @param lineOf the lines of the rows in the file.
 */
export function expectationsOf(people: readonly Person[], lineOf: readonly number[]): Expectation[] {
  const firstOf = new Map<string, number>();
  return people.map((person, at) => {
    if (!person.hasValidEmail) return { rejected: [/mail/i, ...(person.hasInvalidCells ? INVALID_CELLS : [])] };
    const address = person.email.toLowerCase();
    const first = firstOf.get(address);
    if (first === undefined) {
      firstOf.set(address, at);
      return 'member';
    }
    return people[first]?.id === person.id ? 'unchanged' : { rejected: [new RegExp(`line ${lineOf[first]}\\b`)] };
  });
}

/** The cells of a person whose cells are invalid, and what the reasons of the rejection must name. */
export const INVALID_PHONE = 'ask the office';
export const INVALID_BIRTHDAY = '31.11.1980';
export const UNKNOWN_TAG = 'Bell Ringers';
const INVALID_CELLS = [/phone|mobil/i, /31\.11\.1980/, /Bell Ringers/];
