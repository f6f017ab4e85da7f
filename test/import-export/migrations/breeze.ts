import { type ExportedSystem, optionalCell, tagsCell } from './church-export.ts';
import { maritalStatus, US_VOCABULARY, usBirthdayCell, usMember, usPhoneCell } from './planning-center.ts';

/** The export of Breeze, an Excel file, saved as "CSV UTF-8". */
export const BREEZE: ExportedSystem = {
  name: 'breeze',
  country: 'US',
  customColumns: {},
  vocabulary: US_VOCABULARY,
  format: { delimiter: ',', lineEnd: '\r\n', byteOrderMark: true, fromSpreadsheet: true },
  header:
    'Breeze ID;First Name;Last Name;Middle Name;Nickname;Maiden Name;Gender;Status;Marital Status;Birthdate;Birthdate Month/Day;Age;Family;Family Role;School;Graduation Year;Grade;Employer;Campus;Email;Street Address;City;State;Zip;Mobile;Home;Work;Tags;Added Date',
  cells: {
    'Breeze ID': ({ id }) => String(id),
    'First Name': ({ firstName }) => firstName,
    'Last Name': ({ lastName }) => lastName,
    Gender: ({ isFemale }) => (isFemale ? 'Female' : 'Male'),
    Status: ({ designation }) => designation,
    'Marital Status': (person) => optionalCell(person, person.isChild ? undefined : maritalStatus(person)),
    Birthdate: (person) => usBirthdayCell(person),
    'Birthdate Month/Day': ({ birthday }) => (birthday ? `${birthday.month}/${birthday.day}` : ''),
    Age: ({ birthday }) => (birthday ? String(2026 - birthday.year) : ''),
    Family: ({ household }) => String(7_000 + household),
    'Family Role': ({ isChild, isHead }) => (isHead ? 'Head of Household' : isChild ? 'Child' : 'Spouse'),
    Grade: () => 'False',
    Campus: () => 'Main',
    Email: ({ email }) => email,
    'Street Address': ({ houseNumber }) => `${houseNumber} Oak St, Apt 4`,
    City: () => 'Washington',
    State: () => 'DC',
    Zip: () => '20001',
    Mobile: usPhoneCell,
    Tags: tagsCell,
  },
  memberOf: usMember,
};
