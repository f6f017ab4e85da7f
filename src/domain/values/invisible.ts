/** Scripts whose letters a joiner can connect or keep apart, which changes how a word looks and what it means. */
const JOINING_SCRIPTS =
  'Arab Syrc Mand Mong Nkoo Phag Adlm Rohg Mani Sogd Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Tibt Mymr Khmr Lana Newa Gran Mtei Cakm Java Bali';
const JOINING = `[${JOINING_SCRIPTS.replace(/(\w+) ?/g, String.raw`\p{scx=$1}`)}]`;
const EMOJI = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]`;

/** Joiners between such letters (after a vowel sign or virama also at the end of a word) and in emoji. */
const NEEDED_JOINERS = String.raw`(?<=${JOINING})[\u200c\u200d](?=\p{DI}*${JOINING})|(?<=(?!\p{scx=Arab})(?=\p{M})${JOINING})[\u200c\u200d]|(?<=${EMOJI})\u200d(?=\p{Extended_Pictographic})`;

/** Selectors of a variant of the character before them, tags of flags, and marks of the writing direction. */
const NEEDED_OTHERS = String.raw`(?<=[\p{Emoji}\p{scx=Han}\p{scx=Mymr}\p{Sm}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|(?<=[\p{scx=Mong}\p{scx=Phag}])[\u180b-\u180d\u180f]|(?<=[\u{1f3f4}\u{e0020}-\u{e007e}])[\u{e0020}-\u{e007f}]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]`;

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const INVISIBLE_OR_NEEDED = new RegExp(`(${NEEDED_JOINERS}|${NEEDED_OTHERS})|\\p{Default_Ignorable_Code_Point}`, 'gu');

/** Removes all invisible characters (Unicode's `Default_Ignorable_Code_Point`). */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** Removes invisible characters, except those that change how the characters beside them look. */
export function withoutNeedlessInvisible(text: string): string {
  return text.replace(INVISIBLE_OR_NEEDED, '$1');
}
