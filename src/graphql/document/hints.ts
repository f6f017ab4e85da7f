import {
  DirectiveLocation,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  OperationTypeNode,
} from 'graphql';
import { alternatives } from '../../domain/values/words.ts';
import { synonymsOf, toKey } from './other-api-names.ts';

/** Longer messages are truncated, because graphql-js quotes the values that it rejects, however long they are. */
export const MAX_MESSAGE_CHARACTERS = 1_000;

/** The suggestion at the end of a message of graphql-js. */
const SUGGESTION = / Did you mean .*\?$/s;

/** The hint for a number or a name where text is expected. */
export const WRITE_IN_QUOTES = 'Write it in quotes.';

/** A sentence to add to a message. */
interface Hint {
  readonly text: string;
  /** Whether it replaces the suggestion of graphql-js, which compares letters only. */
  readonly replacesSuggestion: boolean;
}

type HintOf = (schema: GraphQLSchema, ...groups: string[]) => Hint | string | undefined;

/** What is added to messages of graphql-js that do not say what would be valid. */
const HINTS: readonly (readonly [RegExp, HintOf])[] = [
  [/^Cannot query field "(\w+)" on type "(\w+)"(?!.* inline fragment )/, hintForField],
  [/^Unknown argument "(\w+)" on field "(\w+)\.(\w+)"/, hintForArgument],
  [/^Field "([^"]*)" is not defined by type "(\w+)"/, hintForInputField],
  [/^Expected (?:value of )?type "([^"]+)"(?:, found (?!null)| to be an object)/, hintForInputObject],
  [/^Field "\w+\.\w+" of required type "(\w+)!"/, listEnumValues],
  [
    /^Field "\w+" of type "([^"]+)" must have a selection/,
    (schema, type) => listFields(schema, type.replace(/\W/g, '')),
  ],
  [/^Field "(\w+)" must not have a selection/, (_schema, name) => `Select "${name}" without "{ … }".`],
  [/^Unknown type "(\w+)"/, hintForType],
  [/^Enum "(\w+)" cannot represent non-enum value: "(.*)"\./s, hintForQuotedEnumValue],
  [/^Enum "(\w+)" cannot represent/, listEnumValues],
  [/^(?:Value ".*"|The value) does not exist in "(\w+)" enum/s, listEnumValues],
  [/^\w+ cannot represent .*: "(.*)"$/s, (_schema, text) => hintForQuotedValue(text)],
  [/^Boolean cannot represent/, () => 'Write true or false.'],
  [/^Int cannot represent/, () => 'Write an integer.'],
  [/^(?:String|ID) cannot represent .* value: (?:[\d.-]+|true|false)$/, () => WRITE_IN_QUOTES],
  [
    /^(?:String|ID) cannot represent .* value: ([a-z_]\w*)$/i,
    (_schema, name) => `Write it in quotes, or "$${name}" for a variable.`,
  ],
  [/^(?:String|ID) cannot represent .* value: [{[]/s, () => 'Write one string, in quotes.'],
  [
    /^Variable "(\$\w+)" of type .* expecting type "(.*)"\.$/,
    (_schema, name, type) => `Declare it as "${name}: ${type}".`,
  ],
  [
    // Validation of a subscription does not know its variables.
    /^Argument "if" of required type .* was provided the variable/,
    () => 'The field of a subscription cannot depend on a variable; send another document instead.',
  ],
  [/^Unknown directive/, (schema) => `The directives of operations are ${joinNames(directivesOf(schema))}.`],
  [/^Unknown fragment/, () => 'Define it in the same document.'],
  [/^Fragment "(\w+)" is never used/, (_schema, name) => `Spread it in an operation with "...${name}", or remove it.`],
  [/^This anonymous operation/, () => 'Name each operation, and select one with "operationName".'],
  [/^The "\w+" definition is not executable/, () => 'A document has operations and fragments only.'],
  [/^Syntax Error: .*<EOF>/, () => 'The document ends before an operation is complete.'],
  [/^Syntax Error: Expected Name, found "}"/, () => 'Select at least one field between "{" and "}".'],
  [/^Syntax Error: Expected Name, found "\)"/, () => 'Leave out parentheses without arguments.'],
  [
    /^Syntax Error: Expected Name, found (?:String|Int) "\d+"/,
    () => 'A name cannot be a number; write answers as [{ fieldId: 1, value: … }].',
  ],
  [/^Syntax Error: Expected Name, found String/, () => 'Write names without quotes.'],
  [/^Syntax Error: (?:Expected Name, found (?:Int|Float)|Invalid number)/, () => 'Write text and dates in quotes.'],
  [/^Syntax Error: Expected Name, found "\{"/, () => 'Write the name of a field or an argument before "{".'],
  [/^Syntax Error: Unexpected "}"/, () => 'It closes no "{", or a "(" or "[" before it is still open.'],
  [/^Syntax Error: Expected "\$", found Name/, () => 'The names of variables begin with "$".'],
  [/^Syntax Error: Expected ":"/, () => 'Write arguments as "name: value", and variables as "$name: Type".'],
  [/^Syntax Error: Unexpected Name/, () => 'An operation begins with "{", "query", "mutation" or "subscription".'],
  [/^Syntax Error: Unexpected character: U\+20(?:18|19|1C|1D)/, () => 'Write straight double quotes (").'],
  [/^Syntax Error: Unexpected character: "\/"/, () => 'Comments begin with "#".'],
];

/** Adds to a message of graphql-js what would be valid, if the message does not say it. */
export function withHint(schema: GraphQLSchema, message: string): string {
  // The patterns are not linear, and the end of a longer message is not shown.
  if (message.length > MAX_MESSAGE_CHARACTERS) return message;
  for (const [pattern, hintOf] of HINTS) {
    const match = pattern.exec(message);
    const hint = match && hintOf(schema, ...match.slice(1));
    if (!match || !hint) continue;
    if (typeof hint === 'string') return append(message, hint);
    return hint.replacesSuggestion ? replaceSuggestion(message, hint.text) : append(message, hint.text);
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

/** The hint for text where a number or a boolean is expected; undefined if it does not look like one. */
export function hintForQuotedValue(text: string): string | undefined {
  if (/^(?:-?\d+|true|false)$/.test(text)) return 'Write it without quotes.';
  const [, prefix] = /^([a-z]+_)\d+$/.exec(text) ?? [];
  return prefix && `Write only the number, without "${prefix}" and without quotes.`;
}

function hintForField(schema: GraphQLSchema, name = '', typeName = ''): Hint | undefined {
  const type = schema.getType(typeName);
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  const found = findName(name, Object.keys(type.getFields()));
  if (found) return found;
  const within = CONTAINERS.map((container) => {
    const inner = getNamedType(type.getFields()[container]?.type);
    const [field] = isObjectType(inner) ? namesFor(name, Object.keys(inner.getFields())) : [];
    return field && `${container} { ${field} }`;
  }).find((field) => field !== undefined);
  if (within) return suggest([within]);
  const isRoot = Object.values(OperationTypeNode).some((kind) => schema.getRootType(kind) === type);
  const kind = Object.values(OperationTypeNode).find((other) =>
    Object.hasOwn(schema.getRootType(other)?.getFields() ?? {}, name),
  );
  const list = Object.values(type.getFields()).find(({ args }) => args.some((arg) => arg.name === name));
  if (list && isRoot) {
    return { text: `It is an argument, as in "${list.name}(${name}: …)".`, replacesSuggestion: true };
  }
  if (kind && isRoot) return suggest([`${kind} { ${name} }`]);
  if (/^(?:nodes|edges|pageInfo)$/.test(name) && !Object.hasOwn(type.getFields(), 'edges')) {
    return { text: `"${typeName}" has no pages; select its fields directly.`, replacesSuggestion: true };
  }
  if (isInterfaceType(type)) {
    const types = schema.getPossibleTypes(type).map((possible) => possible.name);
    const fragment = `"... on ${types[0]} { … }"`;
    return { text: `Select the fields of ${joinNames(types)} in fragments: ${fragment}.`, replacesSuggestion: true };
  }
  return listOf(name, typeName, 'field', Object.keys(type.getFields()));
}

/** Fields that contain a record or records here; other APIs may have the fields of the record in their place. */
const CONTAINERS = ['nodes', 'node', 'record', 'viewer', 'pageInfo', 'field'];

function hintForArgument(schema: GraphQLSchema, name = '', typeName = '', fieldName = ''): Hint | undefined {
  const type = schema.getType(typeName);
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  const { args = [] } = type.getFields()[fieldName] ?? {};
  const names = args.map((arg) => arg.name);
  const found = findName(name, names);
  if (found) return found;
  for (const arg of args) {
    const input = getNamedType(arg.type);
    const [field] = isInputObjectType(input) ? namesFor(name, Object.keys(input.getFields())) : [];
    if (field) return suggest([`${arg.name}: { ${field}: … }`]);
  }
  if (toKey(name) === 'ids') return { text: 'Read records by id with the query "nodes".', replacesSuggestion: true };
  return listOf(name, `${typeName}.${fieldName}`, 'argument', names);
}

function hintForInputField(schema: GraphQLSchema, name = '', typeName = ''): Hint | undefined {
  const type = schema.getType(typeName);
  if (!isInputObjectType(type)) return undefined;
  if (/^(?:idempotencykey|clientmutationid)$/.test(toKey(name))) {
    return { text: 'Send it as the header Idempotency-Key.', replacesSuggestion: true };
  }
  const names = Object.keys(type.getFields());
  return findName(name, names) ?? listOf(name, typeName, 'field', names);
}

function hintForInputObject(schema: GraphQLSchema, notation = ''): string | undefined {
  const type = schema.getType(notation.replace(/\W/g, ''));
  if (!isInputObjectType(type)) return undefined;
  const what = notation.startsWith('[') ? 'a list of objects' : 'an object';
  const fields = Object.values(type.getFields()).map((field) => {
    const values = enumValues(schema, getNamedType(field.type).name);
    return values ? `${field.name} (${alternatives(values)})` : field.name;
  });
  return `Write ${what} with the fields ${joinNames(fields)}.`;
}

/** The hint for an unknown type: a fragment can only be on a type of the schema. */
function hintForType(schema: GraphQLSchema, name = ''): Hint | undefined {
  const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !type.name.startsWith('__'));
  const found = findName(
    name,
    types.map((type) => type.name),
  );
  if (found) return found;
  const node = schema.getType('Node');
  const records = isInterfaceType(node) ? schema.getPossibleTypes(node).map((type) => type.name) : [];
  return { text: `The types of records are ${joinNames(records)}.`, replacesSuggestion: true };
}

function listFields(schema: GraphQLSchema, typeName: string): string | undefined {
  const type = schema.getType(typeName);
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  return listed(typeName, 'field', Object.keys(type.getFields()));
}

function listEnumValues(schema: GraphQLSchema, typeName = ''): Hint | undefined {
  const names = enumValues(schema, typeName);
  return names && { text: listed(typeName, 'value', names), replacesSuggestion: true };
}

function hintForQuotedEnumValue(schema: GraphQLSchema, typeName = '', text = ''): Hint | undefined {
  const names = enumValues(schema, typeName);
  if (!names) return undefined;
  const meant = names.find((value) => toKey(value) === toKey(text));
  const hint = meant ? `Write ${meant} without quotes.` : `Write one of ${joinNames(names)}, without quotes.`;
  return { text: hint, replacesSuggestion: true };
}

function enumValues(schema: GraphQLSchema, typeName: string): readonly string[] | undefined {
  const type = schema.getType(typeName);
  return isEnumType(type) ? type.getValues().map(({ name }) => name) : undefined;
}

function directivesOf(schema: GraphQLSchema): readonly string[] {
  const directives = schema.getDirectives().filter(({ locations }) => locations.includes(DirectiveLocation.FIELD));
  return directives.map(({ name }) => `@${name}`);
}

/**
 * Returns those of `names` that differ from `name` only in notation; if there are none, those for which other APIs use
 * it; if there are none either, those with the same {@link stemOf}.
 */
function namesFor(name: string, names: readonly string[]): readonly string[] {
  const same = names.filter((one) => toKey(one) === toKey(name));
  if (same.length > 0) return same;
  const synonyms = (synonymsOf(name) ?? []).filter((one) => names.includes(one));
  return synonyms.length > 0 ? synonyms : names.filter((one) => stemOf(one) === stemOf(name));
}

/** A name without the words that other APIs add to it: `member` for `getMembers`, `membersConnection`, `memberById`. */
function stemOf(name: string): string {
  return toKey(
    name.replace(/^(?:get|list|all|fetch|find)(?=[A-Z])/, '').replace(/(?:Connection|List|ById|By[A-Z]\w*)$/, ''),
  ).replace(/s$/, '');
}

function findName(name: string, names: readonly string[]): Hint | undefined {
  const found = namesFor(name, names);
  return found.length > 0 ? suggest(found) : undefined;
}

function suggest(names: readonly string[]): Hint {
  const page = names[0] === 'after' ? ', with the "endCursor" of the previous page' : '';
  const text = `Did you mean ${names.map((name) => `"${name}"`).join(' or ')}${page}?`;
  return { text, replacesSuggestion: true };
}

/**
 * Lists the names that exist. The list replaces the suggestion of graphql-js if other APIs use the name: its meaning is then
 * known, and {@link namesFor} has found no name here with this meaning.
 */
function listOf(name: string, owner: string, kind: string, names: readonly string[]): Hint {
  return { text: listed(owner, kind, names), replacesSuggestion: synonymsOf(name) !== undefined };
}

function listed(owner: string, kind: string, names: readonly string[]): string {
  if (names.length === 0) return `"${owner}" has no ${kind}s.`;
  return `"${owner}" has the ${kind}${names.length === 1 ? '' : 's'} ${joinNames(names)}.`;
}

function joinNames(names: readonly string[]): string {
  return names.join(', ');
}
