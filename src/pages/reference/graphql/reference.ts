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
import { markdown, type Reference, SAMPLE_ORIGIN, type Section, slug, splitSections } from '../elements.ts';
import { OPERATION_KINDS, operationByIds, type SchemaField, subscriptionTo } from './document.ts';
import { fieldSection, type Recipe, type RootField, recipeSection, typeSection } from './types.ts';

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

/** The introduction to the GraphQL API, in Markdown. It describes what applies to every operation. */
const INTRODUCTION = `
## Authentication

Send an API key in the header \`X-Api-Key\`, as in REST. The key determines the organization, and its scopes determine
what it may read and write. A field that requires an additional scope is nullable:
if the key lacks the scope, only this field is null, with the error \`missing_scope\`. Introspection requires a key too.

## Cost

An operation costs points from the same rate-limit budget as REST requests: one point for each field at the root, one
for each nested connection or list of records, regardless of the number of parents, and one for each selection of
\`totalCount\`. The cost is charged before the operation runs. The remaining points are in the
headers \`X-RateLimit-Limit\` and \`X-RateLimit-Remaining\`, and in \`extensions.rateLimit\` of the response. Operations
that could return too much are rejected with \`query_too_complex\`.

## Lists

Lists are Relay connections. They are paged forwards with \`first\` and \`after\`, and backwards with \`last\` and
\`before\`. \`endCursor\` is the same string as \`next_cursor\` in REST, and each API accepts the cursors of the other
one. Select \`nodes\` if you do not need a cursor for each record. A search can have up to 200 characters; a record
matches if each word is a substring of one of the searched fields.

## Subscriptions

The subscription \`changes\` streams the change feed as Server-Sent Events, to clients that accept \`text/event-stream\`.
Each event of the type \`next\` has a result as its data, and the cursor of its change as its id. A stream that breaks
continues from there with the header \`Last-Event-ID\`. If the points of the key are used up, it pauses.

## Idempotent requests

Send an \`Idempotency-Key\` (1 to 255 printable ASCII characters) with a mutation to retry it safely: for 24 hours,
retries get the first result again.

## Errors

\`extensions.code\` of an error is the same code as in REST, and \`extensions.details\` lists invalid fields. If the
whole operation fails, for example because the key is invalid, the HTTP status is the same as in REST. If only some
fields fail, the status is 200, and the response also contains the data that could be read. If the \`Accept\` header
asks for \`application/json\`, an invalid document or variable has status 200 too.
`.trim();
