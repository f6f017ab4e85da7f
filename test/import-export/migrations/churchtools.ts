import { nth } from '../../support/seeded-random.ts';
import { type ExportedSystem, isoBirthday, optionalCell, tagSlugs, tagsCell } from './church-export.ts';
import { INVALID_BIRTHDAY, INVALID_PHONE, type Person } from './people.ts';

const PHONE_STYLES = [
  (number: string) => `0171 ${number}`,
  (number: string) => `0171/${number}`,
  (number: string) => `+49 171 ${number}`,
  (number: string) => `0049171${number}`,
  (number: string) => `(0171) ${number.slice(0, 3)} ${number.slice(3)}`,
];

function phoneCell(person: Person): string {
  const { phone, id, hasInvalidCells } = person;
  return hasInvalidCells ? INVALID_PHONE : optionalCell(person, phone && nth(PHONE_STYLES, id)(phone));
}

function birthdayCell(person: Person): string {
  const { birthday, hasInvalidCells } = person;
  const pad = (part: number) => String(part).padStart(2, '0');
  if (hasInvalidCells) return INVALID_BIRTHDAY;
  return optionalCell(person, birthday && `${pad(birthday.day)}.${pad(birthday.month)}.${birthday.year}`);
}

function maritalStatus({ isMarried, isChild }: Person): string | undefined {
  if (isChild) return undefined;
  return isMarried ? 'verheiratet' : 'ledig';
}

const hasUnknownGender = ({ id }: Person) => id % 9 === 0;

/** The export of ChurchTools: semicolons, also at the end of each line, and all cells quoted. */
export const CHURCHTOOLS: ExportedSystem = {
  name: 'churchtools',
  country: 'DE',
  customColumns: {},
  vocabulary: {
    femaleNames: ['Änne', 'Zoë', 'Ute', 'Käthe', 'Anna-Lena', 'Ruth'],
    maleNames: ['Jörg', 'Uwe', 'Hans-Peter', 'André', 'Björn', 'Karl Heinz'],
    lastNames: ['Müller', 'Groß', 'Weiß', 'von der Heide', "O'Connor", 'Köhler', 'Strauß', 'Meier-Lüdenscheid'],
    designations: ['Mitglied', 'Freund', 'Besucher'],
  },
  format: { delimiter: ';', lineEnd: '\n', quotesAll: true, trailingDelimiter: true },
  header:
    'id;Titel;Vorname;Name;Strasse;Addresszusatz;Postleitzahl;Ort;Land;Geschlecht;Telefon privat;Telefon geschäftl.;Mobil;Fax;E-Mail;Benutzername;Geburtsdatum;Geburtsname;Beruf;Nationalität;Familenstand;Hochzeitstag;Mitglied seit;Taufdatum;Status;Station;Bereich;Tags',
  cells: {
    id: ({ id }) => String(id),
    Vorname: ({ firstName }) => firstName,
    Name: ({ lastName }) => lastName,
    Strasse: ({ houseNumber }) => `Große Straße ${houseNumber}`,
    Postleitzahl: () => '04109',
    Ort: () => 'Leipzig',
    Land: () => 'Deutschland',
    Geschlecht: (person) => (hasUnknownGender(person) ? 'unbekannt' : person.isFemale ? 'weiblich' : 'männlich'),
    Mobil: phoneCell,
    'E-Mail': (person) => optionalCell(person, person.email || undefined),
    Geburtsdatum: birthdayCell,
    Beruf: ({ isChild }) => (isChild ? 'Schüler; 3. Klasse' : ''),
    Nationalität: () => 'Deutschland',
    Familenstand: (person) => maritalStatus(person) ?? 'unbekannt',
    Status: ({ designation }) => designation,
    Station: () => 'Zentrum',
    Bereich: () => 'Gemeindeliste::Jugend',
    Tags: tagsCell,
  },
  memberOf: (person) => ({
    external_id: String(person.id),
    first_name: person.firstName,
    last_name: person.lastName,
    email_address: person.email.toLowerCase(),
    phone_number: person.phone ? `+49171${person.phone}` : null,
    gender: hasUnknownGender(person) ? null : person.isFemale ? 'Female' : 'Male',
    marital_status: maritalStatus(person) ?? null,
    date_of_birth: isoBirthday(person),
    address: `Große Straße ${person.houseNumber}`,
    city: 'Leipzig',
    zip_code: '04109',
    country: 'Deutschland',
    designation: person.designation,
    tags: tagSlugs(person),
  }),
};
