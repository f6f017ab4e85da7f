import type { Random } from './random.ts';

/** A person of a church, with the values that the service has to store; the address is null for people without one. */
export interface Person {
  readonly external_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email_address: string | null;
  readonly phone_number: string | null;
  readonly gender: string | null;
  readonly marital_status: string | null;
  readonly date_of_birth: string | null;
  readonly address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip_code: string | null;
  readonly country: string | null;
  readonly designation: string | null;
}

type Row = Record<string, string>;

/** A system that a church leaves: what it knows about people, and how its export writes them. */
export interface System {
  readonly name: string;
  /** The name of the mapping file. */
  readonly mapping: string;
  readonly country: string;
  readonly countryName: string;
  readonly delimiter: string;
  readonly otherGender: string | null;
  readonly maritalStatuses: readonly string[];
  readonly designations: readonly string[];
  /** Cities with their state and postal code. */
  readonly places: readonly (readonly [city: string, state: string | null, zipCode: string])[];
  /** The texts by which a birthday is missing. */
  readonly noBirthday: readonly string[];
  /** A phone number as it is stored. */
  phone(random: Random): string;
  idOf(count: number): string;
  row(person: Person, random: Random): Row;
}

/** A text with invisible characters, or decomposed as macOS writes it. */
function asTyped(text: string, random: Random): string {
  const typed = [text, text.normalize('NFD'), ` ${text} `, `${text}\u00a0`, `\ufeff${text}`, `${text}\u00ad`];
  return random.chance(20) ? random.pick(typed) : text;
}

function names({ first_name, last_name }: Person, random: Random): [first: string, last: string] {
  return [asTyped(first_name, random), asTyped(last_name, random)];
}

function address({ email_address: address }: Person, random: Random): string {
  if (address === null) return '';
  const typed = [address.toUpperCase(), ` ${address}`, `${address}\u200b`, address.replace('p', 'P'), address];
  return random.chance(20) ? random.pick(typed) : address;
}

/** A number without its country code, in a notation of the country or of calls from abroad. */
function phone(
  { phone_number: stored }: Person,
  random: Random,
  notations: (national: string) => string[],
  code: string,
): string {
  if (stored === null) return '';
  if (!stored.startsWith(code))
    return random.pick([stored, stored.replace(/(...)$/, ' $1'), stored.replace(/(..)$/, '-$1')]);
  const [number = '', extension] = stored.slice(code.length).split(';ext=');
  return `${random.pick(notations(number))}${extension === undefined ? '' : random.pick([` ext. ${extension}`, ` x${extension}`])}`;
}

function birthday({ date_of_birth: day }: Person, random: Random, system: System, write: (day: string) => string[]) {
  return random.pick(day === null ? ['', ...system.noBirthday] : write(day));
}

function dayFirst(day: string, separator: string): string {
  return day.split('-').reverse().join(separator);
}

const PLANNING_CENTER: System = {
  name: 'Planning Center',
  mapping: 'planning-center',
  country: 'US',
  countryName: 'United States',
  delimiter: ',',
  otherGender: null,
  maritalStatuses: ['Single', 'Married', 'Divorced', 'Widowed', 'Separated'],
  designations: ['Member', 'Regular Attender', 'Visitor', 'In Progress', 'Attendee; Guest'],
  places: [
    ['Washington', 'DC', '20001'],
    ['Boston', 'MA', '02134'],
    ['Boston', 'MA', '02134-1001'],
    ['Winston-Salem', 'NC', '27101'],
    ['San José', 'CA', '95112'],
    // As a spreadsheet program leaves it.
    ['Newark', 'NJ', '7102'],
  ],
  noBirthday: ['03/17/1885', '12/31/1885', '1885-02-28'],
  phone: (random) =>
    random.chance(5)
      ? random.pick(['+442071838750', '+4915123456789', '+525512345678'])
      : `+1${random.pick(['202', '617', '919'])}555${random.digits(4)}${random.chance(5) ? `;ext=1${random.digits(2)}` : ''}`,
  idOf: (count) => String(10_000_000 + 7 * count),
  row(person, random) {
    const [first, last] = names(person, random);
    return {
      'Person ID': person.external_id,
      'Given Name': '',
      'First Name': first,
      Nickname: random.pick(['', 'Al']),
      'Last Name': last,
      Birthdate: birthday(person, random, this, (day) => [`${day.slice(5).replace('-', '/')}/${day.slice(0, 4)}`]),
      Gender: random.pick([person.gender ?? '', person.gender?.charAt(0) ?? '']),
      'Medical Notes': random.pick(['', 'Peanuts\nBee stings, "EpiPen" in the bag']),
      'Marital Status': person.marital_status ?? '',
      Status: random.pick(['active', 'inactive']),
      Membership: person.designation ?? '',
      'Home Address Street Line 1': person.address ?? '',
      'Home Address Street Line 2': random.pick(['', 'Apt 4']),
      'Home Address City': person.city ?? '',
      'Home Address State': person.state ?? '',
      'Home Address Zip Code': person.zip_code ?? '',
      'Home Address Country': person.country ?? '',
      'Work Address City': random.pick(['', 'Elsewhere']),
      'Mobile Phone Number': phone(
        person,
        random,
        (number) => {
          const [a, b, c] = [number.slice(0, 3), number.slice(3, 6), number.slice(6)];
          return [
            `(${a}) ${b}-${c}`,
            `${a}-${b}-${c}`,
            `${a}.${b}.${c}`,
            `+1 ${a} ${b} ${c}`,
            `1-${a}-${b}-${c}`,
            number,
          ];
        },
        '+1',
      ),
      'Home Phone Number': '(202) 555-0100',
      'Home Email': address(person, random),
      'Work Email': random.pick(['', 'office@work.example.org']),
      'Household Name': `${person.last_name} Household`,
      'Updated At': '2024-11-19 08:00:51 UTC',
    };
  },
};

const ELVANTO: System = {
  name: 'Elvanto',
  mapping: 'elvanto',
  country: 'AU',
  countryName: 'Australia',
  delimiter: ',',
  otherGender: null,
  maritalStatuses: ['Single', 'Engaged', 'Married', 'De Facto', 'Divorced', 'Widowed'],
  designations: ['Member', 'Regular Attender', 'Newcomers, 2024', 'Kids & Youth'],
  places: [
    ['Perth', 'WA', '6000'],
    ['Darwin', 'NT', '0800'],
    ['Alice Springs', 'NT', '0870'],
    ['Wagga Wagga', 'NSW', '2650'],
  ],
  noBirthday: ['0000-00-00', '00/00/0000', '0000-00-00 00:00:00', '/  /'],
  phone: (random) => random.pick([`+614${random.digits(8)}`, `+618932${random.digits(5)}`, `+6421${random.digits(7)}`]),
  idOf: (count) => `7f3c9a10-52b1-11e4-a0de-${String(count).padStart(12, '0')}`,
  row(person, random) {
    const [first, last] = names(person, random);
    const zip = person.zip_code ?? '';
    return {
      'Member ID': person.external_id,
      Title: random.pick(['', 'Mr', 'Dr']),
      'First Name': first,
      'Preferred Name': random.pick(['', 'Al']),
      'Last Name': last,
      Email: address(person, random),
      Phone: random.pick(['', '(08) 9321 0000']),
      Mobile: phone(
        person,
        random,
        (number) => {
          const [a, b, c] = [number.slice(0, 3), number.slice(3, 6), number.slice(6)];
          return [
            `0${a} ${b} ${c}`,
            `0${number}`,
            `+61 ${a} ${b} ${c}`,
            `+61${number}`,
            `(0${a}) ${b}-${c}`,
            `0011 61 ${a}${b}${c}`,
          ];
        },
        '+61',
      ),
      Gender: person.gender ?? random.pick(['', 'Unknown']),
      Birthday: birthday(person, random, this, (day) => [
        day,
        `${day} 00:00:00`,
        dayFirst(day, '/'),
        `${day}T00:00:00.000Z`,
      ]),
      'Marital Status': person.marital_status ?? random.pick(['', 'Unknown']),
      'People Category': person.designation ?? '',
      'Home Address': person.address ?? '',
      'Home Address 2': random.pick(['', 'Unit 2']),
      'Home City': person.city ?? '',
      'Home State': person.state ?? '',
      'Home Postcode': zip === '' ? '' : random.pick([zip, `="${zip}"`]),
      'Home Country': person.country ?? '',
      'Family Relationship': random.pick(['Primary Contact', 'Child']),
      Departments: 'Worship: Vocals; Hosts',
      'Date Modified': '2024-11-19 08:00:51',
    };
  },
};

const CHURCHTOOLS: System = {
  name: 'ChurchTools',
  mapping: 'churchtools',
  country: 'DE',
  countryName: 'Deutschland',
  delimiter: ';',
  otherGender: 'Others',
  maritalStatuses: ['ledig', 'verheiratet', 'getrennt', 'geschieden', 'verwitwet'],
  designations: ['Mitglied', 'Freund', 'Besucher', 'Kein Mitglied', 'Mitglied (auswärts), ruhend'],
  places: [
    ['Leipzig', null, '04109'],
    ['Köln', null, '50667'],
    ['Frankfurt (Oder)', null, '15230'],
    ['Zürich', null, '8001'],
  ],
  // ChurchTools stores a day without a year as one of 1004, and shows a year without a day.
  noBirthday: ['00.00.0000', '24.12.', '24.12.1004', '1955'],
  phone: (random) =>
    random.pick([
      `+49171${random.digits(7)}`,
      `+491522${random.digits(7)}`,
      `+49341961${random.digits(4)}`,
      `+4179${random.digits(7)}`,
    ]),
  idOf: String,
  row(person, random) {
    const [first, last] = names(person, random);
    const genders: Row = { Male: 'männlich', Female: 'weiblich', Others: 'divers' };
    return {
      id: person.external_id,
      Titel: random.pick(['', 'Dr.']),
      Vorname: first,
      Name: last,
      Strasse: person.address ?? '',
      Addresszusatz: random.pick(['', 'Hinterhaus']),
      Postleitzahl: person.zip_code ?? '',
      Ort: person.city ?? '',
      Land: person.country ?? '',
      Geschlecht: person.gender === null ? random.pick(['', 'unbekannt']) : (genders[person.gender] as string),
      'Telefon privat': random.pick(['', '0341 961 0000']),
      Mobil: phone(
        person,
        random,
        (number) => {
          const [a, b] = [number.slice(0, 3), number.slice(3)];
          return [
            `0${a} ${b}`,
            `0${a}/${b}`,
            `(0${a}) ${b}`,
            `0${a}-${b}`,
            `+49 ${a} ${b}`,
            `0049 ${a} ${b}`,
            `+49 (0)${a} ${b}`,
            `0${number}`,
          ];
        },
        '+49',
      ),
      'E-Mail': address(person, random),
      Geburtsdatum: birthday(person, random, this, (day) => [dayFirst(day, '.')]),
      Beruf: random.pick(['', 'Schüler; 3. "Klasse"']),
      Familenstand: person.marital_status ?? random.pick(['', 'unbekannt']),
      Hochzeitstag: '',
      Status: person.designation ?? '',
      Bereich: 'Gemeindeliste::Jugend',
      '': '',
    };
  },
};

/** An export of the version with open source, which has numbers for words, and the birthday in three columns. */
const EARLIER_CHURCHTOOLS: System = {
  ...CHURCHTOOLS,
  name: 'ChurchTools 2.50',
  otherGender: null,
  noBirthday: ['24.12.', '..1955'],
  row(person, random) {
    const { Geburtsdatum: _, ...row } = CHURCHTOOLS.row(person, random);
    const [day = '', month = '', year = ''] = birthday(person, random, this, (date) => [dayFirst(date, '.')]).split(
      '.',
    );
    return {
      ...row,
      Geschlecht: String(['Male', 'Female'].indexOf(person.gender ?? '') + 1),
      Familenstand: String(this.maritalStatuses.indexOf(person.marital_status ?? '') + 1),
      'Geb.-Tag': day,
      'Geb.-Monat': month,
      'Geb.-Jahr': year,
    };
  },
};

export const SYSTEMS: readonly System[] = [PLANNING_CENTER, ELVANTO, CHURCHTOOLS, EARLIER_CHURCHTOOLS];
