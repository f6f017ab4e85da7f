import type { Member } from '../../domain/entities/member.ts';
import { nth } from '../seeded-random.ts';

/** The name of a demo person, with an email address derived from it. */
interface Name {
  readonly firstName: string;
  readonly lastName: string;
  readonly gender: Member['gender'];
  readonly emailAddress: string;
}

const MALE = words(`
  Samuel Mateo Caleb Kwame Tobias Haruto Declan Emeka Piotr Lars Hector Wesley Jabari Brendan Luca Tiago Kofi
  Julián Anders Duy Miles Jürgen Femi Rafael Ondřej Clayton Eoin Min-jun Stanley Vikram`);
const FEMALE = words(`
  Amara Ingrid Chloé Rosa Hannah Yuki Maeve Folake Zofia Karin Lucía Beatrice Wanjiru Orla Giulia Inês Abena
  Ximena Freja Linh Harriet Anneliese Ngozi Camila Tereza Dorothy Siobhán Ji-woo Eunice Priya Naomi`);
const NEUTRAL = words('Robin Sky Noor Alex Kai Ariel');

const LAST_NAMES = words(`
  Okafor Lindqvist Moreau Castellano Whitfield Nakamura Brennan Adeyemi Kowalczyk Petersen Vásquez Thornbury
  Mwangi Halloran Bianchi Ferreira Osei Ramírez Lund Achterberg Tran Hargrove Müller Oyelaran Delgado Novák
  Pruitt O'Connor Sato Villanueva Baptiste Greenlee Kim Ashworth Mensah Lombardi Strand Eriksen Quintero
  Fairweather Ogden Rao Dubois Hollis Zamora Abebe Winslow Pereira Larkin Iyer Sandoval Tierney Boateng`);

/** Reserved for examples (RFC 2606). */
const MAIL_DOMAINS = ['example.org', 'example.com', 'example.org', 'example.net', 'example.com'];

/** Returns the name of a demo person by index. The first 3,000 names and email addresses are unique. */
export function nameOf(index: number): Name {
  const [firstName, gender] = firstNameOf(index);
  const lastName = nth(LAST_NAMES, index);
  const emailAddress = `${toAsciiLetters(firstName)}.${toAsciiLetters(lastName)}@${nth(MAIL_DOMAINS, index)}`;
  return { firstName, lastName, gender, emailAddress };
}

function firstNameOf(index: number): [string, Member['gender']] {
  if (index % 34 === 33) return [nth(NEUTRAL, Math.floor(index / 34)), 'Others'];
  const turn = Math.floor(index / 2);
  return index % 2 === 0 ? [nth(FEMALE, turn), 'Female'] : [nth(MALE, turn), 'Male'];
}

/** Returns the ASCII letters of a name, in lower case and without accents. */
function toAsciiLetters(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
