import { MAX_COLUMN_NAME_CHARACTERS } from './limits.ts';

/**
 * Column names by field, in English, German, Spanish, French and Portuguese, normalized by `foldName`. A name
 * that is ambiguous, such as `name` of a member, is left out.
 */
const COLUMN_NAMES: Readonly<Record<string, string>> = {
  external_id: `id externalid recordid uniqueid reference externeid idexterno identifiantexterne mitgliedsnummer
    numerodesocio numerodemembre`,
  first_name: 'givenname forename first vorname nombre nombres primernombre prenom nome primeironome nomeproprio',
  last_name: `surname familyname last nachname familienname zuname apellido apellidos nom nomdefamille sobrenome
    apelido apelidos`,
  email_address: `email mail emailaddress emailadresse mailadresse correo correoelectronico direcciondecorreoelectronico
    courriel adresseemail adressemail adresseelectronique correioeletronico correioelectronico enderecodeemail`,
  phone_number: `phone telephone tel mobile mobilephone mobilenumber cell cellphone telefon telefonnummer handy
    handynummer mobil mobiltelefon mobilnummer telefono movil telefonomovil celular numerodetelefono portable
    telephoneportable numerodetelephone telefone telemovel numerodetelefone`,
  gender: 'sex geschlecht sexo genero sexe genre',
  marital_status: 'maritalstate familienstand zivilstand estadocivil etatcivil situationfamiliale',
  date_of_birth: `birthday birthdate dob born geburtsdatum geburtstag geboren geborenam fechadenacimiento
    fechanacimiento datedenaissance datanascimento datadenascimento`,
  address: `street streetaddress address1 addressline1 straße strasse straßeundhausnummer strasseundhausnummer
    straßehausnummer strassehausnummer straßenr strassenr adresse anschrift direccion domicilio calle rue endereco morada
    rua`,
  city: 'town ort wohnort stadt ciudad localidad poblacion ville commune cidade municipio',
  state: 'province region county bundesland kanton provincia estado',
  zip_code: 'zip postalcode postcode plz postleitzahl codigopostal codepostal cep',
  country: 'land pais pays',
  designation: 'role position funktion rolle amt cargo funcion rol fonction funcao',
  is_guest: 'guest visitor gast besucher invitado visitante invite visiteur convidado',
  tags: `tag labels groups schlagworter schlagworte gruppen etiketten etiquetas grupos etiquettes groupes marcadores`,
  color: 'colour',
  head: 'headofdepartment leader leiter leitung lider responsable responsavel',
  department: `departmentid departmentname abteilung bereich departamento departement`,
  member: 'memberid memberemail mitglied miembro membre membro',
  form: 'formid',
  sender: 'from requestedby',
  submitted_at: 'timestamp submitted',
  event_type: 'type',
  dates: 'days date eventdate',
  created_at: 'created createdon',
  updated_at: 'updated modified lastmodified',
};

/** The normalized names of a field's columns, without the name of the field itself. */
export function columnNamesOf(field: string): string[] {
  return Object.hasOwn(COLUMN_NAMES, field) ? (COLUMN_NAMES[field] as string).split(/\s+/) : [];
}

/** Names that are as often part of another column, as in `First Visit`. */
const PARTS_OF_OTHERS = ['first', 'last'];

/**
 * The field that a column seems to have, because part of its name is a name of the field, as in `Work Email` or
 * `Wohnadresse`. A short name such as `id` counts only for fields that no column has.
 *
 * @param used the fields of other columns.
 */
export function similarField(
  column: string,
  fields: readonly string[],
  used: ReadonlySet<string | null>,
): string | undefined {
  const [folded, words] = [foldName(column), column.split(/[^\p{L}\p{N}\p{M}]+/u, 20).map(foldName)];
  const parts = new Set(words.flatMap((_, at) => [1, 2, 3].map((count) => words.slice(at, at + count).join(''))));
  const isPart = (name: string) =>
    parts.has(name) || (name.length > 4 && (folded.endsWith(name) || folded.startsWith(name)));
  const found = fields.flatMap((field) => {
    const minimum = used.has(field) ? 4 : 1;
    const names = [foldName(field), ...columnNamesOf(field)];
    return names
      .filter((name) => name.length >= minimum && !PARTS_OF_OTHERS.includes(name) && isPart(name))
      .map((name) => ({ field, length: name.length, end: folded.lastIndexOf(name) + name.length }));
  });
  // In `Home Address City`, the last word says what it is.
  return found.sort((a, b) => b.end - a.end || b.length - a.length)[0]?.field;
}

/** A name in lower case without accents, spaces and punctuation; a name that is too long is returned unchanged. */
export function foldName(name: string): string {
  if (name.length > MAX_COLUMN_NAME_CHARACTERS) return name;
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** The words for values of enum fields in files, folded by `foldName`, in the languages of the column names. */
const VALUES: Readonly<Record<string, string>> = {
  Male: 'm male man mannlich maennlich masculino hombre varon masculin homme homem',
  // Not `h` (hombre, homme): where it is used, `m` can mean mujer.
  Female: 'f female woman w weiblich femenino mujer feminin femme feminino mulher',
  Others: 'others other d divers diverse andere otro autre outro',
};

const valuesByName = new Map(
  Object.entries(VALUES).flatMap(([value, names]) => names.split(' ').map((name) => [name, value] as const)),
);

/** The value of an enum field for a common synonym of it in one of these languages, folded by `foldName`. */
export function enumValueOf(normalized: string): string | undefined {
  return valuesByName.get(normalized);
}

const YES = 'true yes y 1 x ja j wahr si verdadero oui vrai sim verdadeiro'.split(' ');
const NO = 'false no n 0 nein falsch falso non faux nao'.split(' ');

/** The boolean that a text means in one of these languages, folded by `foldName`. */
export function booleanOf(normalized: string): boolean | undefined {
  if (YES.includes(normalized)) return true;
  return NO.includes(normalized) ? false : undefined;
}
