import { decodeEntities, WINDOWS_1252 } from '../../domain/values/html-entities.ts';
import { quote } from '../../domain/values/words.ts';

const BYTES = new Map([...WINDOWS_1252].map((character, index) => [character, 0x80 + index]));
/** The first two bytes of a character in UTF-8, as characters of Windows-1252. */
const MISDECODED_UTF8 = new RegExp(`[\\u00c2-\\u00f4][\\u0080-\\u00bf${WINDOWS_1252}]`);
/**
 * What a text is likely to be decoded to: a Latin letter or a common symbol. Other characters must follow each other,
 * because words such as `NESCAFÉ®` have two characters that are one in UTF-8.
 */
const LIKELY = /[\u00a0-\u017f\u2010-\u203a€™\u{10000}-\u{10ffff}]|[\u0180-\uffff]{2}/u;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns the problem of a text, or of a text in a JSON value, that another program has read in the wrong encoding: its
 * characters are the bytes of UTF-8 in Windows-1252 (`JÃ¶rg`), it has a replacement character for one that was lost, or
 * HTML entities (`O&#39;Neal`) although it is not HTML.
 *
 * @param canHaveEntities whether texts can have HTML entities.
 */
export function encodingProblem(value: unknown, canHaveEntities = false): string | undefined {
  if (typeof value === 'string') return problemOf(value.trim(), canHaveEntities);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const item of Object.values(value)) {
    const problem = encodingProblem(item, canHaveEntities);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const ADVICE = 'open the original file as UTF-8, or export it again';

function problemOf(text: string, canHaveEntities: boolean): string | undefined {
  const decoded = canHaveEntities ? text : decodeEntities(text);
  if (decoded !== text && !/<[a-z/][^<>]*>/i.test(text))
    return `${quote(text)} should probably be ${quote(decoded)}, without HTML entities`;
  const at = text.search(/[\u0080-\uffff]/);
  if (at === -1) return undefined;
  const lostAt = text.indexOf('\ufffd');
  if (lostAt !== -1) return `${quote(wordAt(text, lostAt))} has a character that was lost (\ufffd); ${ADVICE}`;
  if (!MISDECODED_UTF8.test(text) || !LIKELY.test(decodedTwice(text) ?? '')) return undefined;
  const word = wordAt(text, at);
  const meant = decodedTwice(word) ?? word;
  return `${quote(word)} should probably be ${quote(meant)}, as in a UTF-8 file read in another encoding; ${ADVICE}`;
}

function wordAt(text: string, index: number): string {
  const separator = /[\t\n\r ,;|]/;
  return `${text.slice(0, index).split(separator).at(-1)}${text.slice(index).split(separator, 1)[0]}`;
}

/** The text whose UTF-8, read as Windows-1252, is this text; undefined if there is none. */
function decodedTwice(text: string): string | undefined {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const byte = BYTES.get(text.charAt(at)) ?? text.charCodeAt(at);
    if (byte > 0xff) return undefined;
    bytes[at] = byte;
  }
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
