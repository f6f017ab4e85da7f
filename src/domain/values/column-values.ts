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
