import type { GraphQLError } from 'graphql';
import { truncate } from '../../../domain/values/words.ts';
import { locationsOf } from '../parse.ts';

/**
 * What a syntax error usually means: the end of a message of graphql-js, the sentence to add, and the text before the place
 * of the error if it depends on that. The first match counts.
 */
const SYNTAX_HINTS: readonly (readonly [message: RegExp, hint: string, before?: RegExp])[] = [
  [/<EOF>/, 'The document ends before an operation is complete; each "{" needs a "}".'],
  [/String "(?:query|operationName|variables)"/, 'It is a JSON body; send only the text of its "query".', /^\s*\{\s*$/],
  [/Expected Name, found (?:String|Int|Float|"[{$]")/, 'Write an argument with its name, as in "(id: …)".', /\(\s*$/],
  [/found Int "\d+"/, 'Write arguments in parentheses, as in "members(first: 5)".', /\w\s*:\s*$/],
  [
    /Expected Name, found (?:String|Int) "\d+"/,
    'A name cannot be a number; answers are written as [{ fieldId: 1, value: … }].',
  ],
  [/Expected ":", found String/, 'Write a quote inside a text as \\".', /"\w*$/],
  [/Expected Name, found String/, 'Write names without quotes; a document is not JSON.'],
  [/Expected Name, found (?:Int|Float)|Invalid number/, 'Write text and dates in quotes; names have no "-".'],
  [/Expected "\{", found ":"|Unexpected ":"/, 'Leave out ":" after "query".', /^\s*[a-z]+\s*$/],
  [/found "\["/, 'Write arguments in parentheses and fields in braces, as in "members(first: 5) { nodes { id } }".'],
  [
    /Expected "on"|Unexpected Name "on"|found "[{}]"/,
    'Write a fragment as "... on Member { … }", or as "...Name" and "fragment Name on Member { … }".',
    /\.{3}[\s\w]*$|\bfragment\b[\s\w]*$/,
  ],
  [/found "@"/, 'Write text in quotes.', /:\s*[\w.+-]+$/],
  [/found "@"/, 'Write a directive after the name of a field.'],
  [/Expected Name, found "[{}]"/, 'Write the name of a field after ":", or leave out ":".', /:\s*$/],
  [
    /found "\{"|Unexpected (?:"[:=@]"|character: "[%<]")/,
    'Templates are not filled in; write a variable, as in "id: $id".',
    /(?:^|[:(]|:\s*[{$])\s*$/,
  ],
  [/found "\{"/, 'Write one "{", not two.', /\{\s*$/],
  [/found "\{"/, 'Close "(" with ")" before "{".', /\([^()]*$/],
  [/found "\{"/, 'Write the name of a field or an argument before "{".'],
  [/found "\)"/, 'Leave out parentheses without arguments.', /\(\s*$/],
  [/Unexpected "\)"/, 'Write a value after ":".'],
  [/Expected Name, found "\}"/, 'Select at least one field between "{" and "}".'],
  [/Expected Name, found "[\])]"|Unexpected "[\]}]"/, 'It closes nothing, or another bracket before it is still open.'],
  [/Expected Name, found ":"|Unexpected ":"/, 'Write an object in braces, as in "filter: { name: value }".'],
  [/Expected "\$"/, 'The names of variables begin with "$"; arguments belong to a field, inside "{ … }".'],
  [/Expected ":"/, 'Write arguments as "name: value", and variables as "$name: Type".'],
  [/Name "(?:GET|P[A-Z]+|DELETE)"|character: "\/"/, 'Comments begin with "#"; a path of REST has its own URL.'],
  [/Unexpected (?:Name|"[[(]"|character: "<")/, 'An operation begins with "{", "query", "mutation" or "subscription".'],
  [/character: (?:U\+(?:00[AB]B|201[89ACDE])|"[`\\]")/, 'Write straight double quotes ("), without "\\" and "`".'],
  [/character: U\+/, 'Replace it with a normal space.'],
  [/character: "\."/, 'Select nested fields in braces, as in "nodes { id }"; a fragment has three dots.'],
  [/character: "[+-]"|found "[&|]"/, 'There are no operators; select each field, and combine them yourself.'],
  [/character: ";"/, 'Separate fields and arguments with spaces, commas or line breaks.'],
  [/character: "\*"/, 'Name each field to select.'],
  [
    /Unterminated string/,
    'Close it with " on the same line; write " inside a text as \\", and """ around several lines.',
  ],
];

/** The characters before a syntax error that patterns are matched with. */
const MAX_MATCHED_CHARACTERS = 200;

/** The characters before a syntax error that its message shows. */
const MAX_SHOWN_CHARACTERS = 24;

/**
 * Returns what is added to a syntax error of graphql-js: what it usually means, and its location; undefined for another error.
 *
 * @param source the document.
 */
export function syntaxHint(error: GraphQLError, source: string): string | undefined {
  const { message, positions: [offset] = [] } = error;
  const [location] = locationsOf(error) ?? [];
  if (!message.startsWith('Syntax Error: ') || offset === undefined || !location) return undefined;
  const before = source.slice(Math.max(0, offset - MAX_MATCHED_CHARACTERS), offset);
  const [, hint] = SYNTAX_HINTS.find(([pattern, , end]) => pattern.test(message) && (!end || end.test(before))) ?? [];
  // Masked as a whole: the end of an API key alone is not recognizable as a part of one.
  const shown = truncate(before, before.length)
    .slice(-MAX_SHOWN_CHARACTERS)
    .replace(/^[\udc00-\udfff]/, '')
    .replace(/\s+/g, ' ')
    .trim();
  return `${hint ? ` ${hint}` : ''} (line ${location.line}, column ${location.column}${shown ? `, after ${JSON.stringify(shown)}` : ''})`;
}
