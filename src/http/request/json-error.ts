import { MAX_ECHOED_CHARACTERS } from '../../domain/values/limits.ts';
import { quote } from '../../domain/values/words.ts';

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
  const error = findError(text);
  const { offset, state, missing } = error;
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const position = `line ${line}, column ${offset - before.lastIndexOf('\n')}`;
  if (offset === text.length) return `unexpected end of input at ${position}${missing && `; ${missing} is missing`}`;
  const rest = text.slice(offset, offset + MAX_ECHOED_CHARACTERS);
  const [token = ''] = /^(?:[\w$]+|.)/su.exec(rest) ?? [];
  const stringName = `${/value|key/.test(state) ? 'invalid' : 'unexpected'} string`;
  const preceding = before.slice(-MAX_ECHOED_CHARACTERS);
  const hint = HINTS.find(([pattern, states, , previous]) => {
    return pattern.test(rest) && states.test(state) && (previous?.test(preceding) ?? true);
  })?.[2];
  return `${token === '"' ? stringName : `unexpected ${quote(token)}`} at ${position}; ${hint ?? expectedAt(error)}`;
}

/** What to do about text in place of a token, by the state and, if it matters, the text before it. */
const HINTS: readonly (readonly [text: RegExp, state: RegExp, hint: string, before?: RegExp])[] = [
  [/^['`\u2018-\u201f]/, /./, 'strings must be in straight double quotes (")'],
  [/^\{/, /key/, 'templates such as {{name}} are not filled in; send the value, text in double quotes', /\{$/],
  [/^(?:\/[/*]|#)/, /./, 'JSON has no comments; remove it'],
  [/^(?:none|null|nil|undefined|nan|[+-]?infinity)\b/i, /value/, 'write null'],
  [/^(?:true|false)\b/i, /value/, 'write true and false in lower case'],
  [/^object Object/, /./, 'an object was converted to a string instead of JSON'],
  [/^[\w[\].%-]+=/, /^value/, 'this is form data; write it as JSON, for example {"a": "1"}'],
  [/^[}\],]/, /./, 'a value is missing before it', /:\s*$/],
  [/^[}\]]/, /./, 'remove the comma before it', /,\s*$/],
  [/^,/, /value|key/, 'remove this comma'],
  [/^[\w.]/, /after/, 'write numbers as in 1000 or 0.5, and all else in double quotes', /\d$/],
  [/^[\w$]/, /after/, 'write " within a text as \\", or a comma is missing before it', /"\s*$/],
  [/^[^\W\d]/, /value|key/, 'names and strings must be in double quotes'],
  [/^["[{]/, /after/, 'a comma is missing before it'],
  [/^"/, /value|key/, 'line breaks, tabs and \\ in it must be escaped'],
];

/** What must be in place of an invalid token. */
function expectedAt({ state, missing }: SyntaxErrorPosition): string {
  if (state === 'end') return 'nothing may follow the first value';
  if (state === 'after') return `a comma or ${missing} must be here`;
  if (state === 'colon') return 'a colon must follow the name before it';
  return state.endsWith('key') ? 'a name in double quotes must be here' : 'a JSON value must be here';
}

/** The position of the first invalid token: the end of the text if it ends too early, even within a token. */
interface SyntaxErrorPosition {
  readonly offset: number;
  /** `end` after the whole value, where nothing may follow. */
  readonly state: State | 'end';
  /** What closes the innermost bracket or quotation mark that is not closed; empty if there is none. */
  readonly missing: string;
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
      const truncated = truncatedToken(text, { state, offset }) ?? truncatedToken(text, previous);
      const closing = openBrackets.at(-1) === '{' ? '"}"' : '"]"';
      const missing = truncated?.startsWith('"') ? 'a double quote' : openBrackets.length > 0 ? closing : '';
      if (truncated !== undefined) return { offset: text.length, state, missing };
      WHITE_SPACE.lastIndex = offset;
      const isAtEnd = state === 'after' && openBrackets.length === 0;
      return {
        offset: offset + (WHITE_SPACE.exec(text)?.[0].length ?? 0),
        state: isAtEnd ? 'end' : state,
        missing,
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
function stateAfter(state: State, token: string, openBrackets: string[]): State | undefined {
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
