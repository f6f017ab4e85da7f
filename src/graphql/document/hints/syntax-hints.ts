import type { GraphQLError } from 'graphql';
import { truncate } from '../../../domain/core/errors.ts';
import { locationsOf } from '../../locations.ts';

const TEMPLATE = 'Templates are not filled in; write a variable, as in "id: $id".';
const FRAGMENT = 'Write a fragment as "fragment Name on Member { … }".';

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
    /found (?:String|Int) "\d+"/,
    'A name cannot be a number; write ":" before it if it is a value, and answers as [{ fieldId: 1, value: … }].',
  ],
  [/Expected ":", found String/, 'Write a quote inside a text as \\".', /"\w*$/],
  [/Expected Name, found String/, 'Write names without quotes; a document is not JSON.'],
  [/Expected Name, found (?:Int|Float)|Invalid number/, 'Write text and dates in quotes; names have no "-".'],
  [
    /Expected "\{", found ":"|Unexpected ":"/,
    'Leave out ":" after "query".',
    /^\s*(?:query|mutation|subscription)\s*$/,
  ],
  [/found "\["/, 'Write arguments in parentheses and fields in braces, as in "members(first: 5) { nodes { id } }".'],
  [/Expected "on"|Unexpected Name "on"/, FRAGMENT],
  [/found "@"/, 'Write text in quotes.', /:\s*[\w.+-]+$/],
  [/found "@"/, 'Write a directive after the name of a field.'],
  [/found "\{"/, 'Write "on" before a type, as in "... on Member { … }".', /\.\.\.\s*\w+\s*$/],
  [/found "\{"/, FRAGMENT, /\bon\s*$/],
  [/found "\{"/, TEMPLATE, /:\s*[{$]\s*$/],
  [/found "\{"/, 'Write one "{", not two.', /\{\s*$/],
  [/found "\{"/, 'Select fields without ":", as in "members { … }".', /:\s*$/],
  [/found "\{"/, 'Close "(" with ")" before "{".', /\([^()]*$/],
  [/found "\{"/, 'Write the name of a field or an argument before "{".'],
  [/found "\)"/, 'Leave out parentheses without arguments.', /\(\s*$/],
  [/Expected Name, found "\)"/, 'Close "{" with "}" before ")".'],
  [/Unexpected "\)"/, 'Write a value after ":".'],
  [/found "\]"/, 'It closes no "[".'],
  [/found "\}"/, 'Write the name of a fragment, or "on" and a type, after "...".', /\.\.\.\s*(?:on\s*)?$/],
  [/Expected Name, found "\}"/, 'Write the name of a field after ":".', /:\s*$/],
  [/Expected Name, found "\}"/, 'Select at least one field between "{" and "}".'],
  [/Unexpected "\}"/, 'It closes no "{", or a "(" or "[" before it is still open.'],
  [/Unexpected "="/, TEMPLATE, /^\s*$/],
  [/Unexpected (?:"[:@]"|character: "[%<]")/, TEMPLATE, /[:(]\s*$/],
  [/Expected Name, found ":"|Unexpected ":"/, 'Write an object in braces, as in "filter: { name: value }".'],
  [/Expected "\$"/, 'The names of variables begin with "$"; arguments belong to a field, inside "{ … }".'],
  [/Expected ":"/, 'Write arguments as "name: value", and variables as "$name: Type".'],
  [/Name "(?:GET|POST|PUT|PATCH|DELETE)"/, 'It is a path, not an operation; call REST at its own URL.', /^\s*$/],
  [/Unexpected (?:Name|"[[(]"|character: "<")/, 'An operation begins with "{", "query", "mutation" or "subscription".'],
  [/character: "\/"/, 'Comments begin with "#"; a path of REST is called at its own URL.'],
  [/character: "`"/, 'Send only what is between the lines "```".', /^[\s`]*$/],
  [/character: "\\"/, 'It was escaped twice; send it without backslashes.'],
  [/character: (?:U\+(?:00AB|00BB|20(?:18|19|1A|1C|1D|1E))|"`")/, 'Write straight double quotes (").'],
  [/character: U\+(?:00A0|20\w\w|FEFF|3000)/, 'Replace it with a normal space.'],
  [/character: "\."/, 'Select nested fields in braces, as in "nodes { id }"; a fragment has three dots.'],
  [/character: "[+-]"|found "[&|]"/, 'There are no operators; select each field, and combine them yourself.'],
  [/character: ";"/, 'Separate fields and arguments with spaces, commas or line breaks.'],
  [/character: "\*"/, 'Name each field to select.'],
  [/Unterminated string/, 'Close it with " on the same line, or write """ around a text of several lines.'],
];

/** The characters before a syntax error that patterns are matched with. */
const MAX_MATCHED_CHARACTERS = 200;

/** The characters before a syntax error that its message shows. */
const MAX_SHOWN_CHARACTERS = 24;

/**
 * Returns what is added to a syntax error of graphql-js: what it usually means, and its place; undefined for another error.
 *
 * @param source the document.
 */
export function syntaxHint(error: GraphQLError, source: string): string | undefined {
  const { message, positions: [offset] = [] } = error;
  const [location] = locationsOf(error) ?? [];
  if (!message.startsWith('Syntax Error: ') || offset === undefined || !location) return undefined;
  // From the beginning, because some patterns match only there.
  const before =
    offset > MAX_MATCHED_CHARACTERS
      ? `…${source.slice(offset - MAX_MATCHED_CHARACTERS, offset)}`
      : source.slice(0, offset);
  const [, hint] = SYNTAX_HINTS.find(([pattern, , end]) => pattern.test(message) && (!end || end.test(before))) ?? [];
  // Masked as a whole: the end of an API key alone is not recognizable as a part of one.
  const shown = truncate(before, before.length)
    .slice(-MAX_SHOWN_CHARACTERS)
    .replace(/^[\udc00-\udfff]/, '')
    .replace(/\s+/g, ' ')
    .trim();
  return `${hint ? ` ${hint}` : ''} (line ${location.line}, column ${location.column}${shown ? `, after ${JSON.stringify(shown)}` : ''})`;
}
