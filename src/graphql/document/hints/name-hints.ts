import {
  doTypesOverlap,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  OperationTypeNode,
  TypeMetaFieldDef,
} from 'graphql';
import { MAX_PAGE_SIZE } from '../../../domain/lists/page.ts';
import { synonymsIn } from '../../../domain/values/other-names.ts';
import { sameNames, similarNames } from '../../../domain/values/similar-names.ts';
import { alternatives } from '../../../domain/values/words.ts';

/** What is valid for an argument of a page, since its type does not say it; undefined for any other argument. */
export function pageHint(argument = ''): string | undefined {
  if (/^(?:first|last)$/.test(argument)) return `A page has 1 to ${MAX_PAGE_SIZE} records.`;
  if (argument === 'before') return 'It is the "startCursor" of the next page.';
  return argument === 'after' ? 'It is the "endCursor" of the previous page; the first page has none.' : undefined;
}

function suggest(...names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const page = names.length === 1 ? pageHint(names[0]) : undefined;
  return `Did you mean ${names.map((one) => `"${one}"`).join(' or ')}?${page ? ` ${page}` : ''}`;
}

/** Lists the names that exist. */
export function listed(owner: string, kind: string, names: readonly string[]): string {
  if (names.length === 0) return `"${owner}" has no ${kind}s.`;
  return `"${owner}" has the ${kind}${names.length === 1 ? '' : 's'} ${names.join(', ')}.`;
}

/** What does here what a habit of other APIs does, by the coordinate of a name: a type, or a field and its argument. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/^\w+\.as$/, 'Write an alias before the name, as in "name: firstName".'],
  [/^Query\._(?:service|entities)$/, 'A service with GRAPHQL_FEDERATION=on is a subgraph of Apollo Federation.'],
  [/^Query\.(?:query|mutation|subscription)$/, 'Write it before the first "{" only.'],
  [/^Subscription\.(?!changes)/i, 'Subscribe to "changes(resources: …)"; its "record" is the changed record.'],
  [/^\w+\.changes\((?:since|from|updated|modified)/i, 'It continues after a cursor; "updatedSince" filters members.'],
  [/^FormAnswerInput\./, 'Write "[{ fieldId: 1, value: … }]"; "form(id: …) { fields { fieldId } }" has the ids.'],
  [/^\w+Input\.(?:idempotency_?key|client_?mutation_?id)$/i, 'Send it as the header Idempotency-Key.'],
  [/^\w+Filter\.(?:updated|modified|changed)/i, '"changes(resources: …)" has what changed, after a cursor.'],
  [/^\w+Filter\._?(?:and|or|nor|not)$/i, 'The fields of a filter are combined with AND; there is no OR, and no NOT.'],
  [
    /^\w*?(\w+)Input\.(?:\1|data|patch|changes|values|attributes|set|input|body|fields|object)$/i,
    'Write the fields inside it directly in "input".',
  ],
  [/^(?:Query|PageInfo)\.(?:nodes|edges|pageInfo|items|data)$/, 'Select a list, as in "members { nodes { id } }".'],
  [/^(?!\w+(?:Connection|Edge)\.)\w+\.(?:nodes|edges|pageInfo)$/, 'There are no pages; select the fields directly.'],
  [
    /^(?:Query|PageInfo)\.(?:(?:count|total)(?:[A-Z_]\w*)?|\w+(?:_c|C)ount|\w+(?:_a|A)ggregate)$/,
    'Each list counts its records: "members { totalCount }".',
  ],
  [/^Query\.(?:form_?)?(?:responses|submissions)(?:By\w+)?$/i, 'Select "form(id: …) { responses { … } }".'],
  [/^Query\.\w*[^s]\((?:where|filters?|by)$/, 'A single record is read by its id, as in "member(id: …)".'],
  [/^Form\.response$/, 'Write it as a top-level field: "formResponse(formId: …, id: …)".'],
  [/^(?:Query\.|Update)?(\w+?)(?:(?:Tags)?Input)?[.(]\1_?id$/i, 'Did you mean "id"?'],
  [/^Mutation\.update(\w+?)(?:Tags)?\(\1_?id$/i, 'Did you mean "input: { id: … }"?'],
  [/[(.]ids$/i, 'Read records by id with the query "nodes".'],
];

/** @param coordinate `Type.field`, or `Type.field(argument`. */
function insteadOf(coordinate: string): string | undefined {
  return INSTEAD.find(([pattern]) => pattern.test(coordinate))?.[1];
}

const paths = (text: string) => text.split(', ').map((path) => path.split('.'));

/** Fields that other APIs leave out: what is in them can have any of its names one level higher. */
const WRAPPERS = paths('nodes, edges.node, edges, node, record, pageInfo');

/** Fields that are another record, which other APIs may leave out; a name that several records have does not mean it. */
const RELATIONS = paths('viewer, organization, key, field, dates, form, member');
const OF_ANY_RECORD = /^(?:id|createdAt|updatedAt|description)$/;

/** A name that exists, and how to write it instead of the unknown one. */
interface Candidate {
  readonly name: string;
  readonly text: string;
  /** Whether only the very name means it. */
  readonly isElsewhere?: boolean;
}

/**
 * How to write what an unknown name certainly means: a name beside it, or the same name or another name one level lower.
 *
 * @param own the names beside the unknown one.
 * @param inside those one level lower, where the same name is as likely as another name beside it.
 */
function nearest(name: string, own: readonly Candidate[], inside: readonly Candidate[] = []): readonly string[] {
  const textsOf = (candidates: readonly Candidate[], namesLike: typeof similarNames) => {
    const names = candidates.map((candidate) => candidate.name);
    const found = namesLike(name, names);
    return [...new Set(candidates.filter((candidate) => found.includes(candidate.name)).map(({ text }) => text))];
  };
  const exact = textsOf(inside, sameNames);
  const containers = exact.map((text) => text.split(/[ :(]/, 1)[0]);
  const wrapped = inside.filter(({ isElsewhere }) => !isElsewhere);
  const ranks = [
    textsOf(own, sameNames),
    [...textsOf(own, synonymsIn).filter((one) => !containers.includes(one)), ...exact],
    textsOf(wrapped, synonymsIn),
    textsOf(own, similarNames),
  ];
  return ranks.find((texts) => texts.length > 0) ?? [];
}

const toCandidates = (names: readonly string[]): readonly Candidate[] => names.map((name) => ({ name, text: name }));

/** The fields of the records in the fields of a type, each name once. */
function candidatesInside(type: GraphQLNamedType | undefined): readonly Candidate[] {
  const all = [...WRAPPERS, ...RELATIONS].flatMap((path) => {
    const isElsewhere = RELATIONS.includes(path);
    const names = fieldNames(typeAt(type, path)).filter((name) => !isElsewhere || !OF_ANY_RECORD.test(name));
    return names.map((name) => ({ name, text: selection(type, [...path, name]), isElsewhere }));
  });
  return all.filter(({ name }, index) => all.findIndex((candidate) => candidate.name === name) === index);
}

/** The hint for an unknown field: where it is, what it means, or else the fields of the type. */
export function hintForField(schema: GraphQLSchema, name = '', typeName = ''): string | undefined {
  const type = schema.getType(typeName);
  const names = fieldNames(type);
  // `participantsList` is not the number of participants.
  const isOfSeveral = /(?:List|Connection|Collection)$/.test(name);
  const possible = names.filter((one) => !isOfSeveral || !isLeafType(getNullableType(fieldsOf(type)[one]?.type)));
  const own = toCandidates(possible.filter((one) => one !== 'cursor'));
  const isList = names.includes('edges') && similarNames(name, [typeName.replace(/Connection$/, '')]).length > 0;
  const found =
    (isList ? suggest('nodes') : insteadOf(`${typeName}.${name}`)) ??
    fieldWithArgument(name, type) ??
    suggest(...nearest(name, own, candidatesInside(type))) ??
    (type && hintElsewhere(schema, name, type));
  if (found || !isInterfaceType(type)) return found ?? listed(typeName, 'field', names);
  const types = schema.getPossibleTypes(type).map((possible) => possible.name);
  return `Select the fields of ${types.join(', ')} in fragments: "... on ${types[0]} { … }".`;
}

/** The hint for a name that contains a field and its argument: `members(filter: { emailAddress: … })` for `memberByEmail`. */
function fieldWithArgument(name: string, type: GraphQLNamedType | undefined): string | undefined {
  const [, stem = '', argument = ''] = /^(\w+?)By([A-Z]\w*)$/.exec(name) ?? [];
  const fields = Object.values(fieldsOf(type)).filter((field) => similarNames(stem, [field.name]).length > 0);
  return fields.map((field) => argumentOf(argument, field)).find(Boolean);
}

/** The hint for a name that exists elsewhere: in a root type, a list, or the arguments of a list. */
function hintElsewhere(schema: GraphQLSchema, name: string, type: GraphQLNamedType): string | undefined {
  const kinds = Object.values(OperationTypeNode);
  const isRoot = kinds.some((kind) => schema.getRootType(kind) === type);
  for (const kind of kinds) {
    const field = schema.getRootType(kind)?.getFields()[name];
    if (field && isRoot) return suggest(`${kind} { ${name} }`);
    if (field && !field.args.some(isRequiredArgument)) {
      return isObjectType(type) && type.getInterfaces().length > 0
        ? `"${type.name}" has none of its own; all are in "${kind} { ${name} }".`
        : `Write it as a top-level field: "${kind} { ${name} }".`;
    }
  }
  const list = isRoot ? queriesOf(schema).find(({ args }) => args.some((arg) => arg.name === name)) : undefined;
  return list && `It is an argument, as in "${list.name}(${name}: …)".`;
}

/** The hint for a fragment on a type that is unknown, or impossible where it is spread. */
export function hintForFragment(schema: GraphQLSchema, fragment = '', parentName = '', typeName = '') {
  const [parent, type] = [schema.getType(parentName), schema.getType(typeName)];
  const inside = pathTo(schema, parent, type);
  if (inside) return suggest(selection(parent, [...inside, fragment ? `...${fragment}` : `... on ${typeName} { … }`]));
  const types = isInterfaceType(parent) ? schema.getPossibleTypes(parent).map(({ name }) => name) : [parentName];
  const meant = type ? undefined : suggest(...nearest(typeName, toCandidates(types)));
  return meant ?? `A fragment here must be on ${types.join(', ')}: "... on ${types[0]} { … }".`;
}

/** The path from a type to one whose records can have another type. */
function pathTo(schema: GraphQLSchema, from: GraphQLNamedType | undefined, to: GraphQLNamedType | undefined) {
  return [...WRAPPERS, ...RELATIONS, ...fieldNames(from).map((name) => [name])].find((path) => {
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
export function hintForType(schema: GraphQLSchema, name = ''): string | undefined {
  const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !type.name.startsWith('__'));
  return suggest(...nearest(name, toCandidates(types.map((type) => type.name))));
}

/** The hint for an argument that a field does not have. */
export function hintForArgument(schema: GraphQLSchema, name = '', typeName = '', fieldName = ''): string {
  const coordinate = `${typeName}.${fieldName}`;
  const field = fieldName === TypeMetaFieldDef.name ? TypeMetaFieldDef : fieldsOf(schema.getType(typeName))[fieldName];
  return (
    insteadOf(`${coordinate}(${name}`) ??
    suggest(...nearest(name, ...argumentCandidates(field?.args ?? []))) ??
    (field && otherQuery(schema, name, field, typeName)) ??
    listed(coordinate, 'argument', field?.args.map((arg) => arg.name) ?? [])
  );
}

/** The arguments, and the input fields in them: `filter: { isGuest: … }`. A search has the fields that it searches, too. */
function argumentCandidates(args: readonly GraphQLArgument[]): [own: readonly Candidate[], inside: Candidate[]] {
  const inside = args.flatMap((arg) => {
    const input = getNamedType(arg.type);
    const fields = isInputObjectType(input) ? Object.keys(input.getFields()) : [];
    const [searchedFields = ''] = (arg.name === 'search' && arg.description?.match(/(?<=in the ).*(?=\.)/)) || [];
    const names = searchedFields.split(/, | or /).map((name) => name.replaceAll(' ', '_'));
    const inInput = fields.map((name) => ({ name, text: `${arg.name}: { ${name}: … }` }));
    return [...inInput, ...names.map((name) => ({ name, text: arg.name }))];
  });
  return [toCandidates(args.map((arg) => arg.name)), inside];
}

/** The suggestion of a field with the argument that a name means, after those in `before`; undefined if it has none. */
function argumentOf(name: string, field: GraphQLField<unknown, unknown>, before = ''): string | undefined {
  const args = field.args.filter((arg) => !before.startsWith(`${arg.name}:`));
  const found = nearest(name, ...argumentCandidates(args)).map((one) => (one.includes(':') ? one : `${one}: …`));
  return suggest(...found.map((one) => `${field.name}(${before}${one})`));
}

/** The hint for an argument that another query of the same records has: the list, the one record, or the top-level list. */
function otherQuery(schema: GraphQLSchema, name: string, field: Field, typeName: string): string | undefined {
  const others = queriesOf(schema).filter((one) => one !== field && recordOf(one) === recordOf(field));
  if (typeName === 'Query') {
    const list = others.find(({ args }) => args.some((arg) => arg.name === 'search'));
    const isField = fieldNames(recordOf(field)).includes(name);
    const byId = list && isField && `"${field.name}" has an id, which "${list.name}(search: …)" finds.`;
    return others.map((other) => argumentOf(name, other)).find(Boolean) ?? (byId || undefined);
  }
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
  const fields = Object.values(type.getFields());
  const constants = fields.flatMap((field) =>
    (enumValues(getNamedType(field.type)) ?? []).map((value) => ({ name: value, text: `${field.name}: ${value}` })),
  );
  const own = toCandidates(fields.map((field) => field.name));
  const found = suggest(...nearest(name, own, constants)) ?? insteadOf(`${typeName}.${name}`);
  // A record cannot be ordered by what can be searched or filtered.
  const lists = typeName.endsWith('Order') ? [] : queriesOf(schema);
  const beside = lists.map((list) => {
    const arg = list.args.find((one) => getNamedType(one.type) === type);
    return arg && (argumentOf(name, list, `${arg.name}: …, `) ?? otherQuery(schema, name, list, 'Query'));
  });
  return (
    found ??
    beside.find((hint) => hint && !hint.includes('{ field: ')) ??
    listed(typeName, 'field', describeFields(type))
  );
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
