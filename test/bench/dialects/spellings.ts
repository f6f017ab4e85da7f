import { readFileSync } from 'node:fs';
import {
  type ASTVisitor,
  buildSchema,
  type GraphQLNamedType,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** A way in which clients write the same operation. */
export interface Spelling {
  readonly name: string;
  readonly title: string;
  /** Rewrites a plain document to this spelling. */
  rewrite(document: string): string;
  /** Sent with the variables of the operation. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));

const TYPENAME = selectionsOf('{ __typename }');
const ID = selectionsOf('{ id }');
const CURSOR = selectionsOf('{ cursor }');
const PAGE_INFO = selectionsOf('{ pageInfo { endCursor hasNextPage } }');
const { variableDefinitions: FLAG = [] } = operationOf('query ($flag: Boolean!) { __typename }');

/** All spellings; the others are compared with the first. */
export const SPELLINGS: readonly Spelling[] = [
  { name: 'plain', title: 'plain', rewrite: (document) => document },
  { name: 'apollo', title: 'Apollo', rewrite: withTypenameLast },
  { name: 'relay', title: 'Relay', rewrite: asRelayCompiler },
  { name: 'typename-first', title: '__typename first', rewrite: withTypenameFirst },
  { name: 'fragment', title: 'fragment, @include', rewrite: withFragments, variables: { flag: true } },
];

/** Adds `__typename` at the end of every selection set except the root, like Apollo Client. */
function withTypenameLast(document: string): string {
  return rewriteSelections(document, ({ selections, field }) => (field ? [...selections, ...TYPENAME] : selections));
}

function withTypenameFirst(document: string): string {
  return rewriteSelections(document, ({ selections }) => [...TYPENAME, ...selections]);
}

/**
 * The output of relay-compiler for a query that selects no ids, with `@connection` on each connection: it adds `id` to
 * records, `__typename` to the records of edges, and the fields for loading the next page to connections.
 */
function asRelayCompiler(document: string): string {
  return rewriteSelections(document, ({ selections, type, field }) => {
    if (type.name.endsWith('Connection')) return [...without('pageInfo', selections), ...PAGE_INFO];
    if (type.name.endsWith('Edge')) return [...selections, ...CURSOR];
    if (!isRecord(type)) return selections;
    return [...without('id', selections), ...ID, ...(field === 'node' ? TYPENAME : [])];
  });
}

/** The fields of each record in a fragment, the second half of them with `@include`. */
function withFragments(document: string): string {
  const fragments: string[] = [];
  const operation = rewriteSelections(document, ({ selections, type }) => {
    if (!isRecord(type)) return selections;
    const half = Math.ceil(selections.length / 2);
    const [always, included] = [selections.slice(0, half), selections.slice(half)].map((part) => part.map(print));
    fragments.push(`fragment ${type.name}Fields on ${type.name} { ${always} ... @include(if: $flag) { ${included} } }`);
    return selectionsOf(`{ ...${type.name}Fields }`);
  });
  const withFlag = visit(parse([operation, ...fragments].join('\n')), {
    OperationDefinition: (node) => ({ ...node, variableDefinitions: [...(node.variableDefinitions ?? []), ...FLAG] }),
  });
  return print(withFlag);
}

/** A selection set of a document. */
interface Selected {
  readonly selections: readonly SelectionNode[];
  /** The type of the selected fields. */
  readonly type: GraphQLNamedType;
  /** The field with the selection set; undefined at the root. */
  readonly field: string | undefined;
}

/** Rewrites the selection sets of a document, inner ones first. */
function rewriteSelections(document: string, rewrite: (selected: Selected) => readonly SelectionNode[]): string {
  const typeInfo = new TypeInfo(schema);
  const visitor: ASTVisitor = {
    SelectionSet: {
      leave(set, _key, parent) {
        const type = getNamedType(typeInfo.getParentType());
        if (!type || !parent || !('kind' in parent)) throw new Error(`the schema does not fit ${document}`);
        const field = parent.kind === Kind.FIELD ? parent.name.value : undefined;
        return { ...set, selections: rewrite({ selections: set.selections, type, field }) };
      },
    },
  };
  return print(visit(parse(document), visitWithTypeInfo(typeInfo, visitor)));
}

function isRecord(type: GraphQLNamedType): boolean {
  return isObjectType(type) && 'id' in type.getFields();
}

function without(name: string, selections: readonly SelectionNode[]): SelectionNode[] {
  return selections.filter((one) => one.kind !== Kind.FIELD || one.name.value !== name);
}

function selectionsOf(text: string): readonly SelectionNode[] {
  return operationOf(text).selectionSet.selections;
}

function operationOf(text: string): OperationDefinitionNode {
  return parse(text).definitions[0] as OperationDefinitionNode;
}
