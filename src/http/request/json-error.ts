import { quote } from '../../domain/core/errors.ts';

/** One token of JSON, after white space. */
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings cannot contain them
  /[\t\n\r ]*([{}[\]:,]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/** A token that is truncated by the end of the text, after white space. */
const TRUNCATED_TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings cannot contain them
  /[\t\n\r ]*("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*(?:\\(?:u[\da-fA-F]{0,3})?)?|-|-?(?:0|[1-9]\d*)(?:\.|(?:\.\d+)?[eE][+-]?)|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?)$/y;

const WHITE_SPACE = /[\t\n\r ]*/y;

/** Which token may come next; `first …` also allows the closing bracket of an empty array or object. */
type State = 'value' | 'first value' | 'first key' | 'key' | 'colon' | 'after';

/**
 * Describes a JSON syntax error: `unexpected "}" at line 1, column 6`. Needed because `JSON.parse` does not report the
 * position of every error, and its messages differ between versions of Node.js.
 *
 * @param text the text that `JSON.parse` rejected.
 */
export function describeJsonError(text: string): string {
  const { offset, state } = findError(text);
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const position = `line ${line}, column ${offset - before.lastIndexOf('\n')}`;
  if (offset === text.length) return `unexpected end of input at ${position}`;
  const [character = ''] = text.slice(offset, offset + 2);
  const isString = character === '"';
  const what = isString
    ? `${/value|key/.test(state) ? 'invalid' : 'unexpected'} string`
    : `unexpected ${quote(character)}`;
  const previous = before.trimEnd().at(-1);
  const hint = HINTS.find(({ characters, states, after = previous }) => {
    return characters.test(character) && states.test(state) && after === previous;
  })?.hint;
  return `${what} at ${position}${hint ? `; ${hint}` : ''}`;
}

/** What is valid instead of a character where a token is expected; `after` if it depends on the character before it. */
const HINTS: readonly Hint[] = [
  { characters: /'/, states: /./, hint: 'strings must be in double quotes' },
  { characters: /[}\]]/, states: /./, after: ':', hint: 'a value is missing before it' },
  { characters: /[}\]]/, states: /./, after: ',', hint: 'remove the comma before it' },
  { characters: /[^\W\d]/, states: /value|key/, hint: 'names and strings must be in double quotes' },
  { characters: /["[{]/, states: /^after$/, hint: 'a comma is missing before it' },
  { characters: /"/, states: /value|key/, hint: 'line breaks, tabs and \\ in it must be escaped' },
];

interface Hint {
  readonly characters: RegExp;
  readonly states: RegExp;
  readonly after?: string;
  readonly hint: string;
}

/** The position of the first invalid token: the end of the text if it ends too early, even within a token. */
interface SyntaxErrorPosition {
  readonly offset: number;
  /** `end` after the whole value, where nothing may follow. */
  readonly state: State | 'end';
}

function findError(text: string): SyntaxErrorPosition {
  const openBrackets: string[] = [];
  let state: State = 'value';
  let offset = 0;
  let previous: { state: State; offset: number } = { state, offset };
  for (;;) {
    TOKEN.lastIndex = offset;
    const token = TOKEN.exec(text)?.[1];
    const next: State | undefined = token === undefined ? undefined : stateAfter(state, token, openBrackets);
    if (next === undefined) {
      // The beginning of a truncated number such as `1.` is also a valid token.
      if (isTruncated(text, { state, offset }) || isTruncated(text, previous)) return { offset: text.length, state };
      WHITE_SPACE.lastIndex = offset;
      const isAtEnd = state === 'after' && openBrackets.length === 0;
      return { offset: offset + (WHITE_SPACE.exec(text)?.[0].length ?? 0), state: isAtEnd ? 'end' : state };
    }
    previous = { state, offset };
    state = next;
    offset = TOKEN.lastIndex;
  }
}

/** Whether the text ends within a token that is valid at this offset. */
function isTruncated(text: string, { state, offset }: { readonly state: State; readonly offset: number }): boolean {
  TRUNCATED_TOKEN.lastIndex = offset;
  const token = TRUNCATED_TOKEN.exec(text)?.[1];
  if (token === undefined) return false;
  if (state === 'value' || state === 'first value') return true;
  return (state === 'key' || state === 'first key') && token.startsWith('"');
}

/** Returns the state after a token, and updates `openBrackets`; undefined if the token is not valid here. */
function stateAfter(state: State, token: string, openBrackets: string[]): State | undefined {
  const isClosing = token === '}' || token === ']';
  if (isClosing) {
    const fits = state === 'after' || state === (token === '}' ? 'first key' : 'first value');
    return fits && openBrackets.pop() === (token === '}' ? '{' : '[') ? 'after' : undefined;
  }
  if (state === 'after') {
    if (token !== ',' || openBrackets.length === 0) return undefined;
    return openBrackets.at(-1) === '{' ? 'key' : 'value';
  }
  if (state === 'colon') return token === ':' ? 'value' : undefined;
  if (state === 'key' || state === 'first key') return token.startsWith('"') ? 'colon' : undefined;
  if (token === '{' || token === '[') {
    openBrackets.push(token);
    return token === '{' ? 'first key' : 'first value';
  }
  return token === ':' || token === ',' ? undefined : 'after';
}
