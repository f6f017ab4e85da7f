/** The characters 0x80 to 0x9f of Windows-1252; the others are those of Unicode. */
export const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** The combining character of an accent in the name of an entity, as in `eacute`. */
const ACCENTS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  breve: '\u0306',
  caron: '\u030c',
  cedil: '\u0327',
  circ: '\u0302',
  dblac: '\u030b',
  dot: '\u0307',
  grave: '\u0300',
  macr: '\u0304',
  ogon: '\u0328',
  ring: '\u030a',
  tilde: '\u0303',
  uml: '\u0308',
};

const OTHERS = new Map(
  `amp & lt < gt > quot " apos ' szlig ß aelig æ AElig Æ oelig œ OElig Œ oslash ø Oslash Ø lstrok ł Lstrok Ł dstrok đ
  Dstrok Đ eth ð ETH Ð thorn þ THORN Þ lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ lsaquo ‹ rsaquo › laquo « raquo »
  ndash – mdash — hellip … bull • middot · euro € pound £ copy © reg ® trade ™ deg ° ordf ª ordm º iexcl ¡ iquest ¿`
    .split(/\s+/)
    .flatMap((name, at, all) => (at % 2 === 0 ? [[name, all[at + 1] as string] as const] : []))
    .concat([['nbsp', ' ']]),
);

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi;

/** A text with the characters that its HTML entities (`&#39;`, `&eacute;`) mean, also if these were encoded twice. */
export function decodeEntities(text: string): string {
  return decodeOnce(decodeOnce(text));
}

function decodeOnce(text: string): string {
  return text.replace(ENTITY, (entity: string, decimal?: string, hex?: string, name = '') => {
    if (name === '') return characterOf(Number(decimal ?? `0x${hex}`)) ?? entity;
    const accented = `${name[0]}${ACCENTS[name.slice(1)]}`.normalize();
    return OTHERS.get(name) ?? (accented.length === 1 ? accented : entity);
  });
}

function characterOf(code: number): string | undefined {
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252[code - 0x80];
  const isCharacter = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
