import type { GraphQLSchema } from 'graphql';
import { foldName } from '../../../domain/values/column-names.ts';
import {
  describeFields,
  enumValues,
  fieldNames,
  hintForArgument,
  hintForField,
  hintForFragment,
  hintForInputField,
  hintForType,
  listed,
} from './name-hints.ts';

type HintOf = (schema: GraphQLSchema, ...groups: string[]) => string | undefined;

/** Longer messages are truncated, because graphql-js quotes the values that it rejects, however long they are. */
export const MAX_MESSAGE_CHARACTERS = 1_000;

/** The names at the end of a message of graphql-js, which only look similar. */
const SUGGESTION = / Did you mean (?!"\w+ \{).*\?$/s;

/** The hint for a number or a name where text is expected. */
export const WRITE_IN_QUOTES = 'Write it in quotes.';

/** What is added to messages of graphql-js that do not say what would be valid. */
const HINTS: readonly (readonly [RegExp, HintOf])[] = [
  [/^Cannot query field "value" on type "TypedAnswer"/, () => 'Only "answers { value }" has all values.'],
  [
    /^Cannot query field "(\w+)" .* fragment on "(\w+)"(,| or)?/,
    (_, name, type, more) => `Write "... on ${type} { ${name} }"${more ? ', with the type of the record' : ''}.`,
  ],
  [/^Cannot query field "(\w+)" on type "(\w+)"/, hintForField],
  [/^Fragment .* type "FormAnswer" can never /, () => 'Write it in "typedAnswers { … }" instead of "answers".'],
  [/^Fragment (?:"(\w+)" )?cannot be spread here .* type "(\w+)" can .* type "(\w+)"/, hintForFragment],
  [/^Unknown argument "(\w+)" on field "(\w+)\.(\w+)"/, hintForArgument],
  [/^Field "nodes" argument "ids"/, () => 'Write "nodes(ids: …)", or a list as "members { nodes { … } }".'],
  [/ "(@?\w+)" argument "(\w+)" of type .* is required/, (_, name, arg) => `Write "${name}(${arg}: …)".`],
  [/^Field "([^"]*)" is not defined by type "(\w+)"/, hintForInputField],
  [/^Expected (?:value of )?type "([^"]+)"(?:, found (?!null)| to be an object)/, hintForInputObject],
  [/^Field "\w+" of type "\W*(\w+)\W*" must have a selection/, listFields],
  [/^Field "(\w+)" must not have a selection/, (_, name) => `Select "${name}" without "{ … }".`],
  [/^Fields ".*" conflict because/, () => 'Write an alias before each, as in "a: member(id: …) b: member(id: …)".'],
  [/^Unknown type "(\w+)"/, hintForType],
  [/^Enum "(\w+)" cannot represent non-enum value: "(.*)"\./s, hintForQuotedEnumValue],
  [/^(?:Enum|Field "\w+\.\w+" of required type|(?:Value ".*"|The value) does not exist in) "(\w+)/s, listEnumValues],
  [/^\w+ cannot represent .*: "(.*)"$/s, (_, text) => hintForQuotedValue(text)],
  [/^Boolean cannot represent/, () => 'Write true or false.'],
  [/^Int cannot represent/, () => 'Write an integer of at most 32 bits.'],
  [/^(?:String|ID) cannot represent .* value: (?:[\d.-]+|true|false|[a-z]+_[0-9a-z]{26})$/, () => WRITE_IN_QUOTES],
  [/^(?:String|ID) cannot .* value: ([a-z_]\w*)$/i, (_, name) => `Write it in quotes, or "$${name}" for a variable.`],
  [/^(?:String|ID) cannot represent .* value: \{/s, () => 'Write only the value, without "{ … }".'],
  [/^(?:String|ID) cannot represent .* value(?:: \[|$)/s, () => 'Write one string, in quotes.'],
  [/^Variable "(\$\w+)" of type .* expecting type "(.*)"\.$/, (_, name, type) => `Declare it as "${name}: ${type}".`],
  [/^Variable "(\$\w+)" is never used/, (_, name) => `Write "${name}" without quotes as a value, or omit it.`],
  [/^Argument "if" of .* was provided the variable/, () => 'The field of a subscription cannot depend on a variable.'],
  [/ must select only one top level field\.$/, () => 'Send each field in a separate subscription.'],
  [
    /^(?:Unknown (?:argument .* on )?)?directive /i,
    () => 'A field can only have "@include(if: …)" and "@skip(if: …)".',
  ],
  [/^Unknown fragment/, () => 'Define it in the same document, with the same upper and lower case letters.'],
  [/^Fragment "(\w+)" is never used/, (_, name) => `Spread it in an operation with "...${name}", or remove it.`],
  [/^This anonymous operation/, () => 'Name each operation, and select one with "operationName".'],
  [/^The "\w+" definition is not executable/, () => 'A document has operations and fragments only.'],
];

/** Adds to a message of graphql-js what would be valid, if the message does not say it. */
export function withHint(schema: GraphQLSchema, message: string): string {
  // The patterns are not linear, and the end of a longer message is not shown.
  if (message.length > MAX_MESSAGE_CHARACTERS) return message;
  for (const [pattern, hintOf] of HINTS) {
    const match = pattern.exec(message);
    const hint = match && hintOf(schema, ...match.slice(1));
    if (hint) return replaceSuggestion(message, hint);
  }
  return message;
}

/** Adds a sentence to a message of graphql-js, instead of its suggestion. */
export function replaceSuggestion(message: string, sentence: string): string {
  if (message.length > MAX_MESSAGE_CHARACTERS) return message;
  return append(message.replace(SUGGESTION, ''), sentence);
}

/** Adds a sentence to a message. */
export function append(message: string, sentence: string): string {
  return `${message}${/[.?]$/.test(message) ? '' : '.'} ${sentence}`;
}

/** The hint for text where a number or a boolean is expected; undefined if it is none, and no variable. */
export function hintForQuotedValue(text: string): string | undefined {
  if (/^(?:-?\d+|true|false|\$\w+)$/.test(text)) return 'Write it without quotes.';
  const [, prefix] = /^([a-z]+_)\d+$/.exec(text) ?? [];
  return prefix && `Write only the number, without "${prefix}" and without quotes.`;
}

/** The hint for a value that is no object, where an input type is expected. @param notation such as `[MemberOrder!]`. */
function hintForInputObject(schema: GraphQLSchema, notation = ''): string | undefined {
  const fields = describeFields(schema.getType(notation.replace(/\W/g, '')));
  if (fields.length === 0) return undefined;
  return `Write ${notation.startsWith('[') ? 'a list of objects' : 'an object'} with the fields ${fields.join(', ')}.`;
}

function listFields(schema: GraphQLSchema, typeName = ''): string {
  return listed(typeName, 'field', fieldNames(schema.getType(typeName)));
}

function listEnumValues(schema: GraphQLSchema, typeName = ''): string | undefined {
  const names = enumValues(schema.getType(typeName));
  return names && listed(typeName, 'value', names);
}

function hintForQuotedEnumValue(schema: GraphQLSchema, typeName = '', text = ''): string | undefined {
  const names = enumValues(schema.getType(typeName));
  if (!names) return undefined;
  if (text === '') return `Write null to clear it, or one of ${names.join(', ')}, without quotes.`;
  const meant = names.find((value) => foldName(value) === foldName(text));
  return meant ? `Write ${meant} without quotes.` : `Write one of ${names.join(', ')}, without quotes.`;
}
