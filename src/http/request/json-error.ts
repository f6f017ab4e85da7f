import { quote } from '../../domain/core/errors.ts';
import { MAX_ECHOED_CHARACTERS } from '../../domain/core/limits.ts';

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
 * Describes a JSON syntax error, with its cause: `unexpected "}" at line 1, column 6; a value is missing before it`. Needed
 * because `JSON.parse` does not report the position of every error, and its messages differ between versions of Node.js.
 *
 * @param text the text that `JSON.parse` rejected.
 */
export function describeJsonError(text: string): string {
  const { offset, state, open } = findError(text);
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const position = `line ${line}, column ${offset - before.lastIndexOf('\n')}`;
  const closing = open === undefined ? '' : CLOSING[open];
  if (offset === text.length) {
    return `unexpected end of input at ${position}; ${open ? `it is incomplete, ${closing} is missing` : 'it is incomplete'}`;
  }
  const rest = text.slice(offset, offset + MAX_ECHOED_CHARACTERS);
  const isString = rest.startsWith('"');
  const [what = ''] = /^(?:[\w$]+|.)/su.exec(rest) ?? [];
  const preceding = before.slice(-MAX_ECHOED_CHARACTERS);
  const hint = HINTS.find(({ pattern, states = /./, after = /^/ }) => {
    return pattern.test(rest) && states.test(state) && after.test(preceding);
  })?.hint;
  const subject = isString
    ? `${/value|key/.test(state) ? 'invalid' : 'unexpected'} string`
    : `unexpected ${quote(what)}`;
  return `${subject} at ${position}; ${hint ?? EXPECTED[state](closing)}`;
}

/** What to do about text that is often sent where a token is expected; `after` if it depends on the text before it. */
const HINTS: readonly Hint[] = [
  { pattern: /^['`\u2018-\u201f]/, hint: 'strings must be in double quotes: "' },
  { pattern: /^(?:\/[/*]|#)/, hint: 'JSON has no comments; remove it' },
  { pattern: /^(?:none|null|nil|undefined|nan|[+-]?infinity)\b/i, states: /value/, hint: 'write null' },
  { pattern: /^true\b/i, states: /value/, hint: 'write true' },
  { pattern: /^false\b/i, states: /value/, hint: 'write false' },
  { pattern: /^object Object/, hint: 'an object was converted to a string instead of JSON' },
  { pattern: /^[\w[\].%-]+=/, states: /^value/, hint: 'this is form data; write it as JSON, for example {"a": "1"}' },
  { pattern: /^[}\],]/, after: /:\s*$/, hint: 'a value is missing before it' },
  { pattern: /^[}\]]/, after: /,\s*$/, hint: 'remove the comma before it' },
  { pattern: /^,/, states: /value|key/, hint: 'remove this comma' },
  { pattern: /^;/, states: /after/, hint: 'write a comma instead' },
  { pattern: /^[.+]\d/, states: /value/, hint: 'write numbers as in 0.5 or 5' },
  {
    pattern: /^[\w.]/,
    states: /after/,
    after: /\d$/,
    hint: 'write numbers as in 1000 or 0.5, and all else in double quotes',
  },
  { pattern: /^[^\W\d]/, states: /value|key/, hint: 'names and strings must be in double quotes' },
  { pattern: /^["[{]/, states: /after/, hint: 'a comma is missing before it' },
  { pattern: /^"/, states: /value|key/, hint: 'line breaks, tabs and \\ in it must be escaped' },
];

/** What must be in place of an invalid token. @param closing the bracket that closes the innermost object or array. */
const EXPECTED: Readonly<Record<SyntaxErrorPosition['state'], (closing: string) => string>> = {
  value: () => A_VALUE,
  'first value': () => A_VALUE,
  key: () => 'a name in double quotes must be here',
  'first key': () => 'a name in double quotes must be here',
  colon: () => 'a colon must follow the name before it',
  after: (closing) => `a comma or ${closing} must be here`,
  end: () => 'nothing may follow the first value',
};

type Opening = '{' | '[' | '"';

/** What closes a bracket or a quotation mark. */
const CLOSING: Readonly<Record<Opening, string>> = { '{': '"}"', '[': '"]"', '"': 'a double quote' };

const A_VALUE = 'a value must be here: a string in double quotes, a number, true, false, null, {…} or […]';

interface Hint {
  /** Matches the text from the invalid token on. */
  readonly pattern: RegExp;
  readonly states?: RegExp;
  readonly after?: RegExp;
  readonly hint: string;
}

/** The position of the first invalid token: the end of the text if it ends too early, even within a token. */
interface SyntaxErrorPosition {
  readonly offset: number;
  /** `end` after the whole value, where nothing may follow. */
  readonly state: State | 'end';
  /** The innermost bracket or quotation mark that is not closed. */
  readonly open: Opening | undefined;
}

function findError(text: string): SyntaxErrorPosition {
  const openBrackets: Opening[] = [];
  let state: State = 'value';
  let offset = 0;
  let previous: { state: State; offset: number } = { state, offset };
  for (;;) {
    TOKEN.lastIndex = offset;
    const token = TOKEN.exec(text)?.[1];
    const next: State | undefined = token === undefined ? undefined : stateAfter(state, token, openBrackets);
    if (next === undefined) {
      // The beginning of a truncated number such as `1.` is also a valid token.
      const truncated = truncatedToken(text, { state, offset }) ?? truncatedToken(text, previous);
      if (truncated !== undefined) {
        return { offset: text.length, state, open: truncated.startsWith('"') ? '"' : openBrackets.at(-1) };
      }
      WHITE_SPACE.lastIndex = offset;
      const isAtEnd = state === 'after' && openBrackets.length === 0;
      return {
        offset: offset + (WHITE_SPACE.exec(text)?.[0].length ?? 0),
        state: isAtEnd ? 'end' : state,
        open: openBrackets.at(-1),
      };
    }
    previous = { state, offset };
    state = next;
    offset = TOKEN.lastIndex;
  }
}

/** Returns the token that is valid at this offset, and truncated by the end of the text; undefined if there is none. */
function truncatedToken(
  text: string,
  { state, offset }: { readonly state: State; readonly offset: number },
): string | undefined {
  TRUNCATED_TOKEN.lastIndex = offset;
  const token = TRUNCATED_TOKEN.exec(text)?.[1];
  if (state === 'value' || state === 'first value') return token;
  return (state === 'key' || state === 'first key') && token?.startsWith('"') ? token : undefined;
}

/** Returns the state after a token, and updates `openBrackets`; undefined if the token is not valid here. */
function stateAfter(state: State, token: string, openBrackets: Opening[]): State | undefined {
  const isClosing = token === '}' || token === ']';
  if (isClosing) {
    const fits = state === 'after' || state === (token === '}' ? 'first key' : 'first value');
    if (!fits || openBrackets.at(-1) !== (token === '}' ? '{' : '[')) return undefined;
    openBrackets.pop();
    return 'after';
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
