/** One token of JSON, after white space. */
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings cannot contain them
  /[\t\n\r ]*([{}[\]:,]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

const WHITE_SPACE = /[\t\n\r ]*/y;

/** What may come next, by what came before. */
type State = 'value' | 'first value' | 'first key' | 'key' | 'colon' | 'after';

/**
 * Describes the position of a JSON syntax error: `wrong at line 1, column 6`. `JSON.parse` reports the position of some
 * errors only, and its messages differ between versions of Node.js.
 *
 * @param text the text that `JSON.parse` rejected.
 */
export function describeJsonError(text: string): string {
  const offset = errorOffset(text);
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const place = `line ${line}, column ${offset - before.lastIndexOf('\n')}`;
  return offset === text.length ? `it ends at ${place}, before it is complete` : `wrong at ${place}`;
}

/** The offset of the first token that JSON does not have there; the length of a text that ends too early. */
function errorOffset(text: string): number {
  const open: string[] = [];
  let state: State = 'value';
  let offset = 0;
  for (;;) {
    TOKEN.lastIndex = offset;
    const token = TOKEN.exec(text)?.[1];
    const next: State | undefined = token === undefined ? undefined : stateAfter(state, token, open);
    if (next === undefined) {
      WHITE_SPACE.lastIndex = offset;
      return offset + (WHITE_SPACE.exec(text)?.[0].length ?? 0);
    }
    state = next;
    offset = TOKEN.lastIndex;
  }
}

/** The state after a token; undefined where the token cannot stand. `open` holds the open brackets. */
function stateAfter(state: State, token: string, open: string[]): State | undefined {
  const isClosing = token === '}' || token === ']';
  if (isClosing) {
    const fits = state === 'after' || state === (token === '}' ? 'first key' : 'first value');
    return fits && open.pop() === (token === '}' ? '{' : '[') ? 'after' : undefined;
  }
  if (state === 'after') {
    if (token !== ',' || open.length === 0) return undefined;
    return open.at(-1) === '{' ? 'key' : 'value';
  }
  if (state === 'colon') return token === ':' ? 'value' : undefined;
  if (state === 'key' || state === 'first key') return token.startsWith('"') ? 'colon' : undefined;
  if (token === '{' || token === '[') {
    open.push(token);
    return token === '{' ? 'first key' : 'first value';
  }
  return token === ':' || token === ',' ? undefined : 'after';
}
