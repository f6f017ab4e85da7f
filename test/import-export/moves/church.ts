import type { Random } from './random.ts';
import type { Person, System } from './systems.ts';

const MEN =
  `John/Jörg/José/Søren/Łukasz/Đức/Seán/Jean-Luc/İbrahim/Ødegård/Karl-Heinz/Ng/D’Angelo/D'Arcy/小明/محمد/משה/민수
  /Robert "Bob"/J./Hans Peter/Tom & Ann/True/May`.split(/\s*\//);
const WOMEN = `Anna/Renee/Zoë/Änne/Thảo/Siân/María/Åsa/Chloë/A’isha/Ñusta/Eva/Anne-Marie/Mary Ann/美玲/فاطمة/שרה/지우
  /Jo-Ann/Ann & Ben/Null/June/K./O'Shea`.split(/\s*\//);
const LAST_NAMES =
  `Smith/O’Neal/O'Brien/von der Heide/Null/Smith-Jones/Nguyễn/R&D/Weiß/Strauß/St. John/de la Cruz/Łukasiewicz
  /王/김/حداد/כהן/Müller/MÜLLER/McDonald/Ó Briain/Nakamura/Sørensen/Q/Smith, Jr./Van Dyke/N’Diaye/İnan/Yes/No/Ärlig-Öst
  /D’Souza/Lee/1st`.split(/\s*\//);
/** The values that people of a family have in common. */
type Home = Pick<Person, 'last_name' | 'address' | 'city' | 'state' | 'zip_code' | 'country'>;

/** How names are spelled in the newer export. */
const RESPELLED: Readonly<Record<string, string>> = {
  Renee: 'Renée',
  Zoë: 'Zoe',
  José: 'Jose',
  'Mary Ann': 'Mary-Ann',
};

/** Creates people: families with and without a shared address, sons named after their fathers, and twins. */
export class ChurchGenerator {
  #count = 0;

  constructor(
    readonly random: Random,
    readonly system: System,
    /** The domain of all addresses. */
    readonly domain: string,
  ) {}

  /** At least this number of people, in any order. */
  create(size: number): Person[] {
    const people: Person[] = [];
    while (people.length < size) people.push(...this.#family());
    const office = this.#address('office');
    // Some were once entered with the address of the office.
    const isOffice = () => this.random.chance(1);
    return this.random.shuffle(people.map((one) => (isOffice() ? { ...one, email_address: office } : one)));
  }

  /** The same people some time later, in another order: some have left, and some are new. */
  later(people: readonly Person[]): Person[] {
    const { random } = this;
    const remaining = people.filter(() => !random.chance(2)).map((person) => this.#changed(person));
    const children = random
      .shuffle(remaining)
      .slice(0, people.length / 30)
      .map((parent) => ({
        ...this.#person(this.#home(parent.last_name), random.pick([...MEN, ...WOMEN]), 2020),
        email_address: parent.email_address,
      }));
    return this.#exchangeAddresses(
      random.shuffle([...remaining, ...children, ...this.create(Math.ceil(people.length / 50))]),
    );
  }

  /** A person with some newer values. */
  #changed(person: Person): Person {
    const { random, system } = this;
    const changes: Partial<Person>[] = [
      { phone_number: system.phone(random) },
      { phone_number: null },
      { ...this.#home(person.last_name), last_name: person.last_name },
      { marital_status: random.pick(system.maritalStatuses), designation: random.pick(system.designations) },
      {
        date_of_birth: person.date_of_birth ?? this.#day(1970),
        gender: person.gender ?? 'Female',
      },
      { date_of_birth: null, city: null, designation: null, gender: null },
      { email_address: this.#address('new') },
      { email_address: null },
      { last_name: random.pick(LAST_NAMES), marital_status: random.pick(system.maritalStatuses) },
      { last_name: random.pick(LAST_NAMES), email_address: this.#address('married') },
      { first_name: RESPELLED[person.first_name] ?? person.first_name },
      { first_name: `${person.first_name} II` },
    ];
    return random.chance(30)
      ? { ...person, ...random.pick(changes), ...(random.chance(10) && random.pick(changes)) }
      : person;
  }

  /** Some people exchange addresses. */
  #exchangeAddresses(people: Person[]): Person[] {
    const changed = [...people];
    for (let at = 0; at + 2 < people.length; at += 40) {
      const [a, b, c] = changed.slice(at, at + 3) as [Person, Person, Person];
      const [x, y, z] = [a, b, c].map(({ email_address }) => email_address) as [string, string, string];
      changed[at] = { ...a, email_address: y };
      changed[at + 1] = { ...b, email_address: at % 80 ? z : x };
      if (at % 80) changed[at + 2] = { ...c, email_address: x };
    }
    return changed;
  }

  #family(): Person[] {
    const { random } = this;
    const home = this.#home(random.pick(LAST_NAMES));
    const father = random.pick(MEN);
    const shared = random.chance(50) ? this.#address('family') : undefined;
    const member = (name: string, year: number) => this.#person(home, name, year, shared);
    const people = [member(father, 1940 + random.below(50))];
    if (random.chance(70)) people.push(member(random.pick(WOMEN), 1940 + random.below(50)));
    for (let children = random.below(5); children > 0; children--) {
      const year = 1985 + random.below(40);
      const child = member(random.chance(15) ? father : random.pick([...MEN, ...WOMEN]), year);
      people.push(child);
      if (random.chance(10))
        people.push({ ...member(random.pick(WOMEN), year), date_of_birth: child.date_of_birth, gender: child.gender });
    }
    return people;
  }

  #home(last_name: string): Home {
    const { random, system } = this;
    const [city, state, zip_code] = random.pick(system.places);
    const streets = [
      '38 Oak St, Apt 4',
      'Große Straße 20',
      '1 High St',
      "12 O'Connell St",
      '5 Rue de l’Église',
      '7; Lane',
    ];
    return {
      last_name,
      address: random.chance(5) ? null : `${random.pick(streets)}${random.chance(30) ? ` ${random.below(99)}` : ''}`,
      city,
      state,
      zip_code,
      country: random.chance(20) ? null : system.countryName,
    };
  }

  #person(home: Home, first_name: string, year: number, shared?: string): Person {
    const { random, system } = this;
    const own = () => this.#address('person');
    return {
      external_id: system.idOf(++this.#count),
      first_name,
      ...home,
      email_address: random.chance(20) ? null : shared !== undefined && random.chance(75) ? shared : own(),
      phone_number: random.chance(30) ? null : system.phone(random),
      gender: random.pick(['Male', 'Female', 'Male', 'Female', null, system.otherGender]),
      marital_status: random.chance(25) ? null : random.pick(system.maritalStatuses),
      date_of_birth: random.chance(75) ? this.#day(year) : null,
      designation: random.chance(5) ? null : random.pick(system.designations),
    };
  }

  #day(year: number): string {
    const pad = (number: number) => String(number).padStart(2, '0');
    return `${year}-${pad(1 + this.random.below(12))}-${pad(1 + this.random.below(28))}`;
  }

  #address(name: string): string {
    return `${name}${++this.#count}.o'neal+${this.random.digits(2)}@${this.domain}`;
  }
}
