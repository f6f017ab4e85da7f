import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { type Field, type Fragments, isLead, type PlainRecord, plainEdges, plainRecord } from './plain-selection.ts';

/** What the field that gives another one as text is called; no document that people write can name it. */
export const TEXT_SUFFIX = 'AsJson';

/** A field that is asked for as text, and what of it. */
interface TextNode extends FieldNode {
  readonly plain: PlainRecord;
}

/** What a field asks for as text; undefined where it does not. */
export function plainOf<Plain extends PlainRecord>(node: FieldNode | undefined): Plain | undefined {
  return (node as TextNode | undefined)?.plain as Plain | undefined;
}

/** Whether a field is the list of a connection's edges. */
export function isEdges(type: GraphQLObjectType, field: Field): boolean {
  return field.name === 'edges' && type.name.endsWith('Connection');
}

/** A document that asks for as text what is plain. */
export interface TextDocument {
  readonly document: DocumentNode;
  /** Whether records that lead to others are among it: what goes wrong there is not told place by place. */
  readonly leads: boolean;
}

/**
 * Asks for as text what is plain in a document. A field is either asked for so in the whole document or not at
 * all: what is selected of it is loaded for all its places together.
 *
 * @returns undefined where nothing is plain, and for questions about the schema, which has no such fields.
 */
export function askingForText(schema: GraphQLSchema, document: DocumentNode): TextDocument | undefined {
  const typeInfo = new TypeInfo(schema);
  const places = new Map<Field, Places>();
  let isAboutSchema = false;
  const look = ({ name, selectionSet }: FieldNode) => {
    isAboutSchema ||= name.value === '__schema' || name.value === '__type';
    const [type, field] = [typeInfo.getParentType(), typeInfo.getFieldDef()];
    const of = getNamedType(field?.type);
    if (!field || !isObjectType(type) || !isObjectType(of) || !selectionSet) return;
    if (!isEdges(type, field) && !field.extensions.givesText) return;
    const known = places.get(field) ?? { of, plain: isEdges(type, field) ? plainEdges : plainRecord, sets: [] };
    places.set(field, known);
    known.sets.push(selectionSet);
  };
  visit(document, visitWithTypeInfo(typeInfo, { Field: look }));
  const plain = plainFields(places, fragmentsOf(document), isRead(document));
  if (isAboutSchema || plain.size === 0) return undefined;
  const replace = (node: FieldNode): TextNode | undefined => {
    const known = plain.get(typeInfo.getFieldDef() as Field);
    if (!known) return undefined;
    const { selectionSet: _, ...rest } = node;
    const name = { ...node.name, value: node.name.value + TEXT_SUFFIX };
    return { ...rest, alias: node.alias ?? node.name, name, plain: known };
  };
  return {
    document: visit(document, visitWithTypeInfo(typeInfo, { Field: { leave: replace } })),
    leads: [...plain.values()].some(({ ends }) => ends.some(isLead)),
  };
}

/** Where an operation has a field. */
interface Places {
  readonly of: GraphQLObjectType;
  readonly plain: typeof plainRecord;
  readonly sets: SelectionSetNode[];
}

/** Whether a document only reads, so that it may be executed once more to see what went wrong. */
function isRead({ definitions }: DocumentNode): boolean {
  return definitions.every((one) => one.kind !== Kind.OPERATION_DEFINITION || one.operation === 'query');
}

function plainFields(
  places: ReadonlyMap<Field, Places>,
  fragments: Fragments,
  mayLead: boolean,
): Map<Field, PlainRecord> {
  const known = new Map<Field, PlainRecord | undefined>();
  const plainOf = (field: Field): PlainRecord | undefined => {
    if (known.has(field)) return known.get(field);
    // Until it is known, it does not lead to itself.
    known.set(field, undefined);
    const place = places.get(field);
    const [first, ...others] = place?.sets.map((set) => place.plain(place.of, set, fragments, plainOf)) ?? [];
    const isAlike = others.every((other) => JSON.stringify(asWritten(other)) === JSON.stringify(asWritten(first)));
    known.set(field, isAlike && (mayLead || !first?.ends.some(isLead)) ? first : undefined);
    return known.get(field);
  };
  const plain = [...places.keys()].map((field) => [field, plainOf(field)] as const);
  return new Map(plain.filter((entry): entry is [Field, PlainRecord] => entry[1] !== undefined));
}

/** What of a selection decides what is written: the order of names counts, and where it leads. */
function asWritten(plain: PlainRecord | undefined): unknown {
  if (!plain) return undefined;
  const { fields, ends, ...edges } = plain;
  return [Object.entries(fields), ends.map((end) => (isLead(end) ? { ...end, to: asWritten(end.to) } : end)), edges];
}

function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = document.definitions.filter(
    (one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION,
  );
  return Object.fromEntries(fragments.map((one) => [one.name.value, one]));
}
