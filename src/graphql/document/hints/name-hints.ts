import {
  doTypesOverlap,
  type GraphQLArgument,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  OperationTypeNode,
} from 'graphql';
import { MAX_PAGE_SIZE } from '../../../domain/lists/page.ts';
import { alternatives } from '../../../domain/values/words.ts';
import { knownNamesFor, namesFor, stemOf, toKey } from './other-api-names.ts';

/** What is valid for an argument of a page, since its type does not say it; undefined for any other argument. */
export function pageHint(argument = ''): string | undefined {
  if (/^(?:first|last)$/.test(argument)) return `A page has 1 to ${MAX_PAGE_SIZE} records.`;
  if (argument === 'before') return 'It is the "startCursor" of the next page.';
  return argument === 'after' ? 'It is the "endCursor" of the previous page; the first page has none.' : undefined;
}

function suggest(...names: readonly string[]): string {
  const page = names.length === 1 ? pageHint(names[0]) : undefined;
  return `Did you mean ${names.map((one) => `"${one}"`).join(' or ')}?${page ? ` ${page}` : ''}`;
}

/** Lists the names that exist. */
export function listed(owner: string, kind: string, names: readonly string[]): string {
  if (names.length === 0) return `"${owner}" has no ${kind}s.`;
  return `"${owner}" has the ${kind}${names.length === 1 ? '' : 's'} ${names.join(', ')}.`;
}

/** What does here what a habit of other APIs does, by the place of a name: a type, or a field and its argument. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/^Mutation\.(?:delete|remove|destroy)\w*$/, 'No mutation deletes records.'],
  [/^(?:Query|Subscription)\._(?:entities|service)$/, 'It exists only with GRAPHQL_FEDERATION=on.'],
  [
    /^Subscription\.(?!changes?$)/i,
    'Subscribe to "changes(resources: [members])"; its "record" is the changed record.',
  ],
  [
    /^Query\.changes\((?:since|from|updated|modified)/i,
    'It continues after a cursor; for a time, use "members(filter: { updatedSince: … })".',
  ],
  [
    /^FormAnswerInput\./,
    'Write answers as "[{ fieldId: 1, value: … }]"; "form(id: …) { fields { fieldId question } }" lists the ids.',
  ],
  [/^Form\.response$/, 'Write it as a top-level field: "formResponse(formId: …, id: …)".'],
  [/\(ids$/i, 'Read records by id with the query "nodes".'],
];

/** @param place `Type.field`, or `Type.field(argument`. */
function insteadOf(place: string): string | undefined {
  return INSTEAD.find(([pattern]) => pattern.test(place))?.[1];
}

/** Fields that contain a record, whose fields other APIs may have one level higher. */
const CONTAINERS =
  'nodes, edges.node, edges, node, record, viewer, organization, key, pageInfo, field, dates, form, member'
    .split(', ')
    .map((path) => path.split('.'));

/** The hint for an unknown field: a synonym in this type or elsewhere, or else the fields of the type. */
export function hintForField(schema: GraphQLSchema, name = '', typeName = ''): string | undefined {
  const type = schema.getType(typeName);
  const names = fieldNames(type);
  const instead = insteadOf(`${typeName}.${name}`);
  if (instead) return instead;
  const known = knownNamesFor(name, names);
  const nested = CONTAINERS.flatMap((container) => {
    const inner = typeAt(type, container);
    const [field] = isObjectType(inner) ? knownNamesFor(name, fieldNames(inner)) : [];
    return field ? [{ field, path: selection(type, [...container, field]) }] : [];
  });
  // A field of the same name one level lower is as likely as a synonym.
  const exact = nested.find(({ field }) => toKey(field) === toKey(name));
  if (known.length > 0) {
    const isSynonym = !known.some((one) => toKey(one) === toKey(name));
    const isBeside = isSynonym && exact && !known.some((one) => exact.path.startsWith(`${one} `));
    return suggest(...known, ...(isBeside ? [exact.path] : []));
  }
  if (nested[0]) return suggest(nested[0].path);
  const filtered = fieldWithArgument(name, type);
  if (filtered) return suggest(filtered);
  const similar = namesFor(name, names);
  if (similar.length > 0) return suggest(...similar);
  const elsewhere = type && hintElsewhere(schema, name, type);
  if (typeName === 'Mutation' && !elsewhere) return hintForMutation(schema, name, names);
  if (elsewhere || !isInterfaceType(type)) return elsewhere ?? listed(typeName, 'field', names);
  const types = schema.getPossibleTypes(type).map((possible) => possible.name);
  return `Select the fields of ${types.join(', ')} in fragments: "... on ${types[0]} { … }".`;
}

/** The field and argument of a name that contains both: `members(filter: { emailAddress: … })` for `memberByEmail`. */
function fieldWithArgument(name: string, type: GraphQLNamedType | undefined): string | undefined {
  const [, stem = '', argument = ''] = /^(\w+?)By([A-Z]\w*)$/.exec(name) ?? [];
  if (stem === '') return undefined;
  return fieldNames(type)
    .filter((field) => stemOf(field) === stemOf(stem))
    .map((field) => [field, argumentsFor(argument, fieldsOf(type)[field]?.args ?? [])[0]] as const)
    .flatMap(([field, found]) => (found === undefined ? [] : `${field}(${withPlaceholder(found)})`))[0];
}

/** The verbs of other APIs by those of the mutations here. */
const VERBS: Readonly<Record<string, string>> = {
  create: 'create new insert register add save upsert submit',
  submit: 'create new insert register add save upsert submit send',
  update: 'update edit change modify set patch save upsert add remove assign unassign attach detach',
};

const FILLERS = /^(?:to|from|by|of|for|with|one|many|all)$/;

/** The hint for an unknown mutation: those of the same verb and record, or what is known about the record. */
function hintForMutation(schema: GraphQLSchema, name: string, names: readonly string[]): string {
  const [verb = '', ...nouns] = wordsOf(name);
  const sharedNouns = (own: readonly string[]) => nouns.filter((noun) => own.includes(noun)).length;
  const candidates = names.filter((one) => {
    const [ownVerb = '', ...ownNouns] = wordsOf(one);
    return VERBS[ownVerb]?.split(' ').includes(verb) && nouns.length > 0 && sharedNouns(ownNouns) === nouns.length;
  });
  // A tag is not created by the mutation that adds it to members.
  const isNew = /^(?:create|new|insert|register|submit)$/.test(verb);
  const fewest = Math.min(...candidates.map((one) => wordsOf(one).length));
  const best = candidates.filter((one) => wordsOf(one).length === fewest && !(isNew && wordsOf(one)[0] === 'update'));
  if (best.length > 0) return suggest(...best);
  const record = Object.values(schema.getTypeMap()).find((type) => wordsOf(type.name).join() === nouns.join());
  if (!record || !isRecordType(record)) {
    return listed('Mutation', 'field', names);
  }
  const ofRecord = names.filter((one) => wordsOf(one).slice(1).join() === nouns.join());
  return ofRecord.length === 0
    ? `Records of the type "${record.name}" can only be read.`
    : `The only mutations of "${record.name}" are ${ofRecord.join(', ')}.`;
}

function wordsOf(name: string): readonly string[] {
  return name
    .split(/(?=[A-Z])|_/)
    .map((word) => stemOf(word))
    .filter((word) => !FILLERS.test(word));
}

/** The hint for a name that exists in another place: in a root type, a list, or the arguments of a list. */
function hintElsewhere(schema: GraphQLSchema, name: string, type: GraphQLNamedType): string | undefined {
  const kinds = Object.values(OperationTypeNode);
  const isRoot = kinds.some((kind) => schema.getRootType(kind) === type);
  for (const kind of kinds) {
    const field = schema.getRootType(kind)?.getFields()[name];
    if (field && isRoot) return suggest(`${kind} { ${name} }`);
    if (field && !field.args.some(isRequiredArgument)) {
      return isRecordType(type)
        ? `"${type.name}" has none of its own; all are in "${kind} { ${name} }".`
        : `Write it as a top-level field: "${kind} { ${name} }".`;
    }
  }
  const isPageField = /^(?:nodes|edges|pageInfo)$/.test(name) && type.name !== 'PageInfo';
  const isRecord = isInterfaceType(type) || isRecordType(type);
  if (fieldNames(type).includes('edges') || (isRecord && !isPageField)) return undefined;
  if (isPageField && !isRoot) return `"${type.name}" has no pages; select its fields directly.`;
  for (const list of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const names = fieldNames(getNamedType(list.type));
    const [field] = names.includes('totalCount') ? knownNamesFor(name, names) : [];
    if (field) return `It is a field of lists, as in "${list.name} { ${field} }".`;
    if (isRoot && list.args.some((arg) => arg.name === name)) {
      return `It is an argument, as in "${list.name}(${name}: …)".`;
    }
  }
  return undefined;
}

function isRecordType(type: GraphQLNamedType): boolean {
  return isObjectType(type) && type.getInterfaces().length > 0;
}

/** The hint for a fragment on a type that is impossible where it is spread. */
export function hintForFragment(schema: GraphQLSchema, fragment = '', parentName = '', typeName = ''): string {
  const [parent, type] = [schema.getType(parentName), schema.getType(typeName)];
  const inside = pathTo(schema, parent, type);
  if (inside) return suggest(selection(parent, [...inside, fragment ? `...${fragment}` : `... on ${typeName} { … }`]));
  const [outside] = pathTo(schema, type, parent) ?? [];
  if (outside) return `Spread it where "${outside}" is selected, in "${typeName}".`;
  const types = isInterfaceType(parent) ? schema.getPossibleTypes(parent).map(({ name }) => name) : [parentName];
  return `A fragment here must be on ${types.join(', ')}: "... on ${types[0]} { … }".`;
}

/** The path from a type to one whose records can have another type. */
function pathTo(schema: GraphQLSchema, from: GraphQLNamedType | undefined, to: GraphQLNamedType | undefined) {
  return [...CONTAINERS, ...fieldNames(from).map((name) => [name])].find((path) => {
    const end = typeAt(from, path);
    return isCompositeType(end) && isCompositeType(to) && doTypesOverlap(schema, end, to);
  });
}

/** The type at the end of a path of fields; undefined if there is no such path. */
function typeAt(type: GraphQLNamedType | undefined, path: readonly string[]): GraphQLNamedType | undefined {
  return path.reduce((at, name) => getNamedType(fieldsOf(at)[name]?.type), type);
}

function fieldsOf(type: GraphQLNamedType | undefined) {
  return isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
}

/** The names of the fields of a type; empty for a type without fields. */
export function fieldNames(type: GraphQLNamedType | undefined): readonly string[] {
  return Object.keys(fieldsOf(type));
}

/** Writes a path as a selection, with the arguments that it requires: `form(id: …) { responses }`. */
function selection(type: GraphQLNamedType | undefined, [name = '', ...others]: readonly string[]): string {
  const field = fieldsOf(type)[name];
  if (others.length === 0) return name;
  const args = field?.args.filter(isRequiredArgument).map((arg) => `${arg.name}: …`) ?? [];
  const inner = selection(getNamedType(field?.type), others);
  return `${name}${args.length > 0 ? `(${args.join(', ')})` : ''} { ${inner} }`;
}

/** The hint for an unknown type: a fragment can only be on a type of the schema. */
export function hintForType(schema: GraphQLSchema, name = ''): string {
  const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !type.name.startsWith('__'));
  const names = types.map((type) => type.name);
  const found = namesFor(name, names);
  if (found.length > 0) return suggest(...found);
  const answer = schema.getType('TypedAnswer');
  if (/Answer$/.test(name) && isInterfaceType(answer)) {
    return `The types of answers are ${schema
      .getPossibleTypes(answer)
      .map((type) => type.name)
      .join(', ')}.`;
  }
  const node = schema.getType('Node');
  const records = isInterfaceType(node) ? schema.getPossibleTypes(node).map((type) => type.name) : [];
  return `The types of records are ${records.join(', ')}.`;
}

/** The hint for an argument that a field does not have. */
export function hintForArgument(schema: GraphQLSchema, name = '', typeName = '', fieldName = ''): string {
  const { args = [] } = fieldsOf(schema.getType(typeName))[fieldName] ?? {};
  const found = argumentsFor(name, args);
  const instead = insteadOf(`${typeName}.${fieldName}(${name}`);
  if (found.length > 0 && !instead) return suggest(...found);
  const names = args.map((arg) => arg.name);
  return (
    instead ??
    ((typeName === 'Query' && otherQuery(schema, name, fieldName)) ||
      listed(`${typeName}.${fieldName}`, 'argument', names))
  );
}

/** The arguments with a name, or else the input field of an argument with it: `filter: { isGuest: … }`. */
function argumentsFor(name: string, args: readonly GraphQLArgument[]): readonly string[] {
  const names = args.map((arg) => arg.name);
  const nested = args.map((arg) => {
    const input = getNamedType(arg.type);
    const [field] = isInputObjectType(input) ? namesFor(name, Object.keys(input.getFields())) : [];
    return field && `${arg.name}: { ${field}: … }`;
  });
  const found = namesFor(name, names);
  return found.length > 0 ? found : nested.filter((one) => one !== undefined).slice(0, 1);
}

/** The hint for an argument that the query for one record has instead of that for the list, or the other way round. */
function otherQuery(schema: GraphQLSchema, name: string, fieldName: string): string | undefined {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  const other = fields.find((field) => field.name !== fieldName && stemOf(field.name) === stemOf(fieldName));
  const [found] = argumentsFor(name, other?.args ?? []);
  return other && found ? suggest(`${other.name}(${withPlaceholder(found)})`) : undefined;
}

function withPlaceholder(argument: string): string {
  return argument.includes(':') ? argument : `${argument}: …`;
}

/** The hint for a field that an input type does not have. */
export function hintForInputField(schema: GraphQLSchema, name = '', typeName = ''): string | undefined {
  const type = schema.getType(typeName);
  if (!isInputObjectType(type)) return undefined;
  if (/^(?:idempotencykey|clientmutationid)$/.test(toKey(name))) return 'Send it as the header Idempotency-Key.';
  const fields = Object.values(type.getFields());
  const found = namesFor(name, Object.keys(type.getFields()));
  if (found.length > 0) return suggest(...found);
  for (const field of fields) {
    const value = enumValues(getNamedType(field.type))?.find((one) => toKey(one) === toKey(name));
    if (value) return suggest(`${field.name}: ${value}`);
  }
  for (const list of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const own = list.args.find((arg) => getNamedType(arg.type) === type);
    const others = list.args.filter((arg) => arg !== own);
    const [beside] = own ? argumentsFor(name, others) : [];
    if (own && beside) return suggest(`${list.name}(${own.name}: …, ${withPlaceholder(beside)})`);
    const other = own && otherQuery(schema, name, list.name);
    if (other) return other;
  }
  return insteadOf(`${typeName}.${name}`) ?? listed(typeName, 'field', describeFields(type));
}

/** The names of the fields of an input type, with the values of enums. */
export function describeFields(type: GraphQLNamedType | undefined): readonly string[] {
  if (!isInputObjectType(type)) return [];
  return Object.values(type.getFields()).map((field) => {
    const values = enumValues(getNamedType(field.type));
    return values ? `${field.name} (${alternatives(values)})` : field.name;
  });
}

/** The values of an enum; undefined for any other type. */
export function enumValues(type: GraphQLNamedType | undefined): readonly string[] | undefined {
  return isEnumType(type) ? type.getValues().map(({ name }) => name) : undefined;
}
