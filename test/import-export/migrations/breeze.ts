import { type ExportedSystem, optionalCell, tagsCell } from './church-export.ts';
import { maritalStatus, US_VOCABULARY, usBirthdayCell, usMember, usPhoneCell } from './planning-center.ts';

const empty = () => '';

/** The export of Breeze, an Excel file, saved as "CSV UTF-8". */
export const BREEZE: ExportedSystem = {
  name: 'breeze',
  country: 'US',
  customColumns: {},
  vocabulary: US_VOCABULARY,
  format: { delimiter: ',', lineEnd: '\r\n', byteOrderMark: true, fromSpreadsheet: true },
  columns: {
    'Breeze ID': ({ id }) => String(id),
    'First Name': ({ firstName }) => firstName,
    'Last Name': ({ lastName }) => lastName,
    'Middle Name': empty,
    Nickname: empty,
    'Maiden Name': empty,
    Gender: ({ isFemale }) => (isFemale ? 'Female' : 'Male'),
    Status: ({ designation }) => designation,
    'Marital Status': (person) => optionalCell(person, person.isChild ? undefined : maritalStatus(person)),
    Birthdate: (person) => usBirthdayCell(person),
    'Birthdate Month/Day': ({ birthday }) => (birthday ? `${birthday.month}/${birthday.day}` : ''),
    Age: ({ birthday }) => (birthday ? String(2026 - birthday.year) : ''),
    Family: ({ household }) => String(7_000 + household),
    'Family Role': ({ isChild, isHead }) => (isHead ? 'Head of Household' : isChild ? 'Child' : 'Spouse'),
    School: empty,
    'Graduation Year': empty,
    Grade: () => 'False',
    Employer: empty,
    Campus: () => 'Main',
    Email: ({ email }) => email,
    'Street Address': ({ houseNumber }) => `${houseNumber} Oak St, Apt 4`,
    City: () => 'Washington',
    State: () => 'DC',
    Zip: () => '20001',
    Mobile: usPhoneCell,
    Home: empty,
    Work: empty,
    Tags: tagsCell,
    'Added Date': empty,
  },
  memberOf: usMember,
};
