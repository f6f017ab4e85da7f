import {
  doTypesOverlap,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInterfaceType,
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
import { foldName } from '../../../domain/values/column-names.ts';
import { synonymsIn } from '../../../domain/values/other-names.ts';
import { alternatives } from '../../../domain/values/words.ts';

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
  [/^\w+\.as$/, 'Write an alias before the name, as in "name: firstName".'],
  [/^Query\.(?:query|mutation|subscription)$/, 'Write it before the first "{" only.'],
  [/^(?:Query|Subscription)\._(?:entities|service)$/, 'It exists only with GRAPHQL_FEDERATION=on.'],
  [/^Subscription\.(?!changes)/i, 'Subscribe to "changes(resources: [members])"; its "record" is the changed record.'],
  [
    /^(?:Query|Subscription)\.changes\((?:since|from|updated|modified)/i,
    'It continues after a cursor; for a time, use "members(filter: { updatedSince: … })".',
  ],
  [
    /^FormAnswerInput\./,
    'Write answers as "[{ fieldId: 1, value: … }]"; "form(id: …) { fields { fieldId question } }" lists the ids.',
  ],
  [/^\w+Input\.(?:idempotency_?key|client_?mutation_?id)$/i, 'Send it as the header Idempotency-Key.'],
  [/^\w+Filter\._?(?:and|or|nor|not)$/i, 'The fields of a filter are combined with AND; there is no OR, and no NOT.'],
  [
    /^\w+Input\.(?:data|patch|changes|values|attributes|set|input|body|fields|object|member|prayerRequest)$/i,
    'Write the fields inside it directly in "input".',
  ],
  [/^Form\.response$/, 'Write it as a top-level field: "formResponse(formId: …, id: …)".'],
  [/[(.]ids$/i, 'Read records by id with the query "nodes".'],
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

/** A name that exists, and how to write it in place of the unknown one. */
interface Place {
  readonly name: string;
  readonly text: string;
}

/**
 * The hint for an unknown name: the nearest of those that exist. A name that differs in notation only comes first, then one
 * for which other APIs use it, then one that other APIs write with further words.
 *
 * @param own the places beside the unknown name.
 * @param nested those one level lower, where the same name is as likely as a synonym beside it.
 */
function nearest(name: string, own: readonly Place[], nested: readonly Place[] = []): string | undefined {
  const textsOf = (namesLike: (names: readonly string[]) => readonly string[]) => (places: readonly Place[]) => {
    const names = namesLike(places.map((place) => place.name));
    return places.filter((place) => names.includes(place.name)).map(({ text }) => text);
  };
  const same = textsOf((names) => names.filter((one) => isSame(name, one)));
  const synonymous = textsOf((names) => synonymsIn(name, names));
  const stem = textsOf((names) => names.filter((one) => stemOf(name) === stemOf(one)));
  const beside = synonymous(own);
  const [exact] = same(nested);
  const container = beside.find((one) => exact?.startsWith(`${one} `) || exact?.startsWith(`${one}:`));
  const besides = beside.map((one) => (one === container && exact?.includes(':') ? exact : one));
  const found = [
    same(own),
    besides.length > 0 ? [...besides, ...(exact && !container ? [exact] : [])] : [],
    exact ? [exact] : synonymous(nested).slice(0, 2),
    stem(own),
    stem(nested).slice(0, 1),
  ].find((texts) => texts.length > 0);
  return found && suggest(...found);
}

const isSame = (name: string, other: string) => foldName(name) === foldName(other);
const toPlaces = (names: readonly string[]): readonly Place[] => names.map((name) => ({ name, text: name }));

/** A name without the words that other APIs add to it: `member` for `getMembers`, `membersConnection`, `memberById`. */
function stemOf(name: string): string {
  const stem = name.replace(/^(?:get|list|all|fetch|find|search|query|load|read)(?=[A-Z])/, '');
  return foldName(
    stem.replace(/(?:Connection|Collection|List|Search|Query|ById|By[A-Z]\w*|_by_pk|_aggregate)$/, ''),
  ).replace(/s$/, '');
}

/** The hint for an unknown field: where it is, what is similar, or else the fields of the type. */
export function hintForField(schema: GraphQLSchema, name = '', typeName = ''): string | undefined {
  const type = schema.getType(typeName);
  const names = fieldNames(type);
  const nested = CONTAINERS.flatMap((container) =>
    fieldNames(typeAt(type, container)).map((field) => ({ name: field, text: selection(type, [...container, field]) })),
  );
  const isList = names.includes('edges') && stemOf(name) === stemOf(typeName);
  const found =
    (isList ? suggest('nodes') : insteadOf(`${typeName}.${name}`)) ??
    fieldWithArgument(name, type) ??
    nearest(name, toPlaces(names), nested) ??
    (type && hintElsewhere(schema, name, type));
  if (typeName === 'Mutation' && !found) return `The only mutations are ${names.join(', ')}.`;
  if (found || !isInterfaceType(type)) return found ?? listed(typeName, 'field', names);
  const types = schema.getPossibleTypes(type).map((possible) => possible.name);
  return `Select the fields of ${types.join(', ')} in fragments: "... on ${types[0]} { … }".`;
}

/** The hint for a name that contains a field and its argument: `members(filter: { emailAddress: … })` for `memberByEmail`. */
function fieldWithArgument(name: string, type: GraphQLNamedType | undefined): string | undefined {
  const [, stem = '', argument = ''] = /^(\w+?)By([A-Z]\w*)$/.exec(name) ?? [];
  const fields = Object.values(fieldsOf(type)).filter((field) => stem !== '' && stemOf(stem) === stemOf(field.name));
  return fields.map((field) => argumentOf(argument, field)).find(Boolean);
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
  for (const list of queriesOf(schema)) {
    const names = fieldNames(getNamedType(list.type));
    const field =
      names.includes('totalCount') && names.find((one) => isSame(name, one) || synonymsIn(name, [one]).length > 0);
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
  const [kind, base] = /Answer$/.test(name) ? ['answers', 'TypedAnswer'] : ['records', 'Node'];
  const all = schema.getPossibleTypes(schema.getType(base) as GraphQLInterfaceType).map((type) => type.name);
  return nearest(name, toPlaces(types.map((type) => type.name))) ?? `The types of ${kind} are ${all.join(', ')}.`;
}

/** The hint for an argument that a field does not have. */
export function hintForArgument(schema: GraphQLSchema, name = '', typeName = '', fieldName = ''): string {
  const place = `${typeName}.${fieldName}`;
  const field = fieldsOf(schema.getType(typeName))[fieldName];
  return (
    insteadOf(`${place}(${name}`) ??
    nearest(name, ...argumentPlaces(field?.args ?? [])) ??
    (field && otherQuery(schema, name, field, typeName)) ??
    listed(place, 'argument', field?.args.map((arg) => arg.name) ?? [])
  );
}

/** The places of arguments, and of the input fields in them: `filter: { isGuest: … }`. */
function argumentPlaces(args: readonly GraphQLArgument[]): [own: readonly Place[], nested: readonly Place[]] {
  const nested = args.flatMap((arg) => {
    const input = getNamedType(arg.type);
    const fields = isInputObjectType(input) ? Object.keys(input.getFields()) : [];
    return fields.map((name) => ({ name, text: `${arg.name}: { ${name}: … }` }));
  });
  return [toPlaces(args.map((arg) => arg.name)), nested];
}

/** The suggestion of a field with the argument that a name means, after those in `before`; undefined if it has none. */
function argumentOf(name: string, field: GraphQLField<unknown, unknown>, before = ''): string | undefined {
  const args = field.args.filter((arg) => !before.startsWith(`${arg.name}:`));
  const [, found] = /^Did you mean "([^"]*)"/.exec(nearest(name, ...argumentPlaces(args)) ?? '') ?? [];
  return found && suggest(`${field.name}(${before}${found.includes(':') ? found : `${found}: …`})`);
}

/** The hint for an argument that another query of the same records has: the list, the one record, or the top-level list. */
function otherQuery(schema: GraphQLSchema, name: string, field: Field, typeName: string): string | undefined {
  const others = queriesOf(schema).filter((one) => one !== field && recordOf(one) === recordOf(field));
  if (typeName === 'Query') return others.map((other) => argumentOf(name, other)).find(Boolean);
  const parent = `${typeName.charAt(0).toLowerCase()}${typeName.slice(1)}Id`;
  const list = others.find((other) => argumentOf(parent, other) && argumentOf(name, other));
  return list && `Only the top-level list has it: "${list.name}(filter: { ${parent}: … }, …)".`;
}

type Field = GraphQLField<unknown, unknown>;

const queriesOf = (schema: GraphQLSchema) => Object.values(schema.getQueryType()?.getFields() ?? {});

/** The type of the records that a field returns, one or a page of them. */
function recordOf({ type }: Field): GraphQLNamedType {
  return typeAt(getNamedType(type), ['nodes']) ?? getNamedType(type);
}

/** The hint for a field that an input type does not have. */
export function hintForInputField(schema: GraphQLSchema, name = '', typeName = ''): string | undefined {
  const type = schema.getType(typeName);
  if (!isInputObjectType(type)) return undefined;
  const constants = Object.values(type.getFields()).flatMap((field) =>
    (enumValues(getNamedType(field.type)) ?? []).map((value) => ({ name: value, text: `${field.name}: ${value}` })),
  );
  const found = nearest(name, toPlaces(Object.keys(type.getFields())), constants) ?? insteadOf(`${typeName}.${name}`);
  const lists = queriesOf(schema).map(
    (list) => [list, list.args.find((arg) => getNamedType(arg.type) === type)] as const,
  );
  const beside = lists.map(([list, own]) => {
    return own && (argumentOf(name, list, `${own.name}: …, `) ?? otherQuery(schema, name, list, 'Query'));
  });
  // A record cannot be ordered by what can be searched.
  const others = typeName.endsWith('Order') ? beside.filter((hint) => !hint?.includes('search')) : beside;
  return found ?? others.find(Boolean) ?? listed(typeName, 'field', describeFields(type));
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
