import {
  type GraphQLNamedType,
  type GraphQLSchema,
  getOperationAST,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  type OperationTypeNode,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { html } from '../../html.ts';
import { markdown, slug, splitSections } from '../markdown.ts';
import { SAMPLE_ORIGIN } from '../samples.ts';
import type { Reference, Section } from '../section.ts';
import { OPERATION_KINDS, operationByIds, type SchemaField, subscriptionTo } from './document.ts';
import { fieldSection, type Recipe, type RootField, recipeSection } from './field.ts';
import { INTRODUCTION } from './introduction.ts';
import { typeSection } from './types.ts';

export interface GraphQLReferenceOptions {
  readonly schema: GraphQLSchema;
  /** The points that a field adds to the cost of an operation, below the root. */
  readonly costOf: (field: SchemaField) => number;
  readonly recipes: () => Promise<readonly Recipe[]>;
  /** Whether GraphiQL is served. */
  readonly graphiql: boolean;
  /** The REST operations that do the same as root fields, with examples of the same operations in GraphQL. */
  readonly equivalents: readonly Equivalent[];
}

/** A REST operation, and a GraphQL operation that does the same. */
interface Equivalent {
  readonly rest: NonNullable<RootField['rest']>;
  readonly document: string;
}

/** The reference of the GraphQL API. */
export async function graphqlReference(options: GraphQLReferenceOptions): Promise<Reference> {
  const schema = lexicographicSortSchema(options.schema);
  const recipes = await options.recipes();
  const roots = OPERATION_KINDS.map((kind) => rootFields(kind, schema, options, recipes));
  const [queries = [], mutations = [], subscriptions = []] = roots;
  const names = new Set(queries.map(({ field }) => field.name));
  const types = shownTypes(schema);
  const rootSection = (field: RootField) => fieldSection(field, names);
  const groups: Readonly<Record<string, readonly Section[]>> = {
    'All operations': splitSections(INTRODUCTION).sections.map(({ title, text }) => ({
      id: slug(title),
      title,
      text: markdown(text),
    })),
    Queries: queries.map(rootSection),
    Mutations: mutations.map(rootSection),
    Subscriptions: subscriptions.map(rootSection),
    Cookbook: recipes.map((recipe) => recipeSection(recipe, options.graphiql)),
    ...Object.fromEntries(
      Object.entries(TYPE_KINDS).map(([title, isOfKind]) => [
        title,
        types.filter(isOfKind).map((type) => typeSection(type, names)),
      ]),
    ),
  };
  return {
    lead: html`<p>Send operations with <code>POST</code> to <code>${SAMPLE_ORIGIN}/graphql</code>. The GraphQL API serves
the same records as the <a href="/docs">REST API</a>, with the same API keys, ids and cursors.</p>`,
    groups: Object.entries(groups).map(([title, sections]) => ({ title, id: slug(title), sections })),
  };
}

function rootFields(
  kind: RootField['kind'],
  schema: GraphQLSchema,
  { costOf, equivalents }: GraphQLReferenceOptions,
  recipes: readonly Recipe[],
): RootField[] {
  const type = schema.getRootType(kind as OperationTypeNode);
  const names = equivalents.map(({ document }) => rootFieldsOf(document)[0]);
  // Sorted like the REST operations; fields without a REST operation are last.
  const order = ({ name }: SchemaField) => names.indexOf(name) + 1 || names.length + 1;
  const ofKind = recipes.filter(({ query }) => getOperationAST(parse(query))?.operation === kind);
  const fields = Object.values(type?.getFields() ?? {}).sort((a, b) => order(a) - order(b));
  return fields.map((field) => {
    const equivalent = equivalents[names.indexOf(field.name)];
    const example = kind === 'subscription' ? subscriptionTo(field) : (equivalent?.document ?? operationByIds(field));
    return {
      kind,
      field,
      example,
      rest: equivalent?.rest,
      cost: pointsOf(example, schema, costOf),
      recipes: ofKind.filter(({ query }) => rootFieldsOf(query).includes(field.name)),
    };
  });
}

function rootFieldsOf(document: string): string[] {
  return parse(document).definitions.flatMap((definition) =>
    definition.kind === 'OperationDefinition'
      ? definition.selectionSet.selections.flatMap((one) => (one.kind === 'Field' ? [one.name.value] : []))
      : [],
  );
}

/** The cost of an example, which has one root field. */
function pointsOf(document: string, schema: GraphQLSchema, costOf: GraphQLReferenceOptions['costOf']): number {
  const types = new TypeInfo(schema);
  let points = 1;
  const enter = () => {
    const field = types.getFieldDef();
    if (field) points += costOf(field);
  };
  visit(parse(document), visitWithTypeInfo(types, { Field: { enter } }));
  return points;
}

/** The types that have sections: those of the service, without the types of operations. */
function shownTypes(schema: GraphQLSchema): readonly GraphQLNamedType[] {
  const roots = OPERATION_KINDS.map((kind) => schema.getRootType(kind as OperationTypeNode));
  return Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type) && !roots.some((root) => root === type),
  );
}

const isConnection = ({ name }: GraphQLNamedType) => /(Connection|Edge)$/.test(name);
const isPayload = ({ name }: GraphQLNamedType) => name.endsWith('Payload');

/** The kinds of types. The types of connections are separate, because all of them have the same fields. */
const TYPE_KINDS: Readonly<Record<string, (type: GraphQLNamedType) => boolean>> = {
  Objects: (type) => isInterfaceType(type) || (isObjectType(type) && !isConnection(type) && !isPayload(type)),
  Inputs: isInputObjectType,
  Payloads: isPayload,
  Enums: isEnumType,
  Scalars: isScalarType,
  Connections: isConnection,
};
