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
 * Describes the position of a JSON syntax error: `syntax error at line 1, column 6`. Needed because `JSON.parse` does not report
 * the position of every error, and its messages differ between versions of Node.js.
 *
 * @param text the text that `JSON.parse` rejected.
 */
export function describeJsonError(text: string): string {
  const offset = errorOffset(text);
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const position = `line ${line}, column ${offset - before.lastIndexOf('\n')}`;
  return offset === text.length ? `unexpected end of input at ${position}` : `syntax error at ${position}`;
}

/** The offset of the first invalid token; the length of the text if it ends too early, even within a token. */
function errorOffset(text: string): number {
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
      if (isTruncated(text, { state, offset }) || isTruncated(text, previous)) return text.length;
      WHITE_SPACE.lastIndex = offset;
      return offset + (WHITE_SPACE.exec(text)?.[0].length ?? 0);
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
