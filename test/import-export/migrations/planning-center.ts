import { nth } from '../../support/seeded-random.ts';
import { type ExportedSystem, isoBirthday, optionalCell, tagSlugs, tagsCell } from './church-export.ts';
import { INVALID_BIRTHDAY, INVALID_PHONE, type Person, type Vocabulary } from './people.ts';

/** The people of the two churches in the United States. */
export const US_VOCABULARY: Vocabulary = {
  femaleNames: ['Mary Ann', 'Zoë', 'Ruth', 'Grace', 'Ada', 'Renée', 'Thảo'],
  maleNames: ['José', 'Tom', 'DeShawn', 'Paul', 'Jean-Luc', 'Sam'],
  lastNames: ["O'Brien", 'D’Angelo', 'Muñoz', 'Nguyễn', 'St. John', 'Null', 'van der Berg', 'Smith-Jones', 'Lee'],
  designations: ['Member', 'Regular Attender', 'Visitor'],
};

const PHONE_STYLES = [
  (line: string) => `(202) 555-${line}`,
  (line: string) => `202-555-${line}`,
  (line: string) => `202.555.${line}`,
  (line: string) => `+1 202 555 ${line}`,
  (line: string) => `202555${line}`,
];

const lineNumber = (phone: string) => phone.slice(-4);

/** The phone number of a person in one of the styles that people type. */
export function usPhoneCell(person: Person): string {
  if (person.hasInvalidCells) return INVALID_PHONE;
  const { phone } = person;
  return optionalCell(person, phone && nth(PHONE_STYLES, person.id)(lineNumber(phone)));
}

/** The birthday of a person as M/D/YYYY; with two digits for the month and day if padded. */
export function usBirthdayCell(person: Person, padding = 1): string {
  if (person.hasInvalidCells) return INVALID_BIRTHDAY;
  const { birthday } = person;
  const pad = (part: number) => String(part).padStart(padding, '0');
  return optionalCell(person, birthday && `${pad(birthday.month)}/${pad(birthday.day)}/${birthday.year}`);
}

/** The member that a person in the United States becomes. */
export function usMember(person: Person) {
  return {
    external_id: String(person.id),
    first_name: person.firstName,
    last_name: person.lastName,
    email_address: person.email.toLowerCase(),
    phone_number: person.phone ? `+1202555${lineNumber(person.phone)}` : null,
    gender: person.isFemale ? 'Female' : 'Male',
    marital_status: person.isChild ? null : maritalStatus(person),
    date_of_birth: isoBirthday(person),
    address: `${person.houseNumber} Oak St, Apt 4`,
    city: 'Washington',
    state: 'DC',
    zip_code: '20001',
    designation: person.designation,
    tags: tagSlugs(person),
  };
}

/** The marital status of an adult. */
export function maritalStatus({ isMarried }: Person): string {
  return isMarried ? 'Married' : 'Single';
}

/** The complete export of Planning Center People: minimal quoting, line breaks in notes, custom fields as "Tab :: Field". */
export const PLANNING_CENTER: ExportedSystem = {
  name: 'planning-center',
  country: 'US',
  customColumns: { 'Involvement :: Teams': 'tags' },
  vocabulary: US_VOCABULARY,
  format: { delimiter: ',', lineEnd: '\n' },
  header:
    'Person ID;Name Prefix;Given Name;First Name;Nickname;Middle Name;Last Name;Name Suffix;Birthdate;Anniversary;Gender;Grade;School;Medical Notes;Child;Marital Status;Status;Membership;Inactive Reason;Inactive Date;Home Address Street Line 1;Home Address Street Line 2;Home Address City;Home Address State;Home Address Zip Code;Work Address City;Mobile Phone Number;Home Phone Number;Work Phone Number;Home Email;Work Email;Other Email;Household ID;Household Name;Household Primary Contact;Involvement :: Teams;Background Check Note;Created At;Updated At',
  cells: {
    'Person ID': ({ id }) => String(id),
    'Given Name': ({ firstName }) => firstName,
    'First Name': ({ firstName }) => firstName,
    'Last Name': ({ lastName }) => lastName,
    Birthdate: (person) => usBirthdayCell(person, 2),
    Gender: ({ isFemale }) => (isFemale ? 'Female' : 'Male'),
    Grade: ({ isChild }) => (isChild ? '3' : ''),
    'Medical Notes': ({ isChild }) => (isChild ? 'Peanuts\nBee stings, "EpiPen" in the bag' : ''),
    Child: ({ isChild }) => String(isChild),
    'Marital Status': (person) => optionalCell(person, person.isChild ? undefined : maritalStatus(person)),
    Status: () => 'active',
    Membership: ({ designation }) => designation,
    'Home Address Street Line 1': ({ houseNumber }) => `${houseNumber} Oak St, Apt 4`,
    'Home Address City': () => 'Washington',
    'Home Address State': () => 'DC',
    'Home Address Zip Code': () => '20001',
    'Mobile Phone Number': usPhoneCell,
    'Home Email': (person) => optionalCell(person, person.email || undefined),
    'Household ID': ({ household }) => String(90_000 + household),
    'Household Name': ({ lastName }) => `${lastName} Household`,
    'Household Primary Contact': ({ isHead }) => String(isHead),
    'Involvement :: Teams': tagsCell,
    'Created At': () => '2019-04-02 14:31:07 UTC',
    'Updated At': () => '2024-11-19 08:00:51 UTC',
  },
  memberOf: usMember,
};
