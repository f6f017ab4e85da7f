import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isSpecifiedScalarType,
} from 'graphql';
import { capitalize, quantity } from '../../../domain/values/words.ts';
import { type Html, html, joinHtml } from '../../html.ts';
import {
  facts,
  fieldEntry,
  inlineMarkdown,
  markdown,
  methodBadge,
  SAMPLE_ORIGIN,
  type Section,
  samples,
} from '../elements.ts';
import { tryIt } from '../try-it.ts';
import type { OperationKind, SchemaField } from './document.ts';

function typeId(type: GraphQLNamedType): string {
  return `type-${type.name}`;
}

/** A type in GraphQL's notation, with a link to its section. */
function typeReference(type: GraphQLType): Html {
  if (isNonNullType(type)) return html`${typeReference(type.ofType)}!`;
  if (isListType(type)) return html`[${typeReference(type.ofType)}]`;
  return isSpecifiedScalarType(type) ? html`${type.name}` : html`<a href="#${typeId(type)}">${type.name}</a>`;
}

/**
 * Arguments or input fields. Those that take ids link to the query that lists the records: `tagIds` to `tags`.
 *
 * @param fieldName the field of the arguments: its argument `id` links to the list with its plural name.
 */
function inputList(
  inputs: readonly (GraphQLArgument | GraphQLInputField)[],
  queries: ReadonlySet<string>,
  fieldName = '',
): Html {
  return html`<dl class="fields">${inputs.map((input) => {
    const list = input.name === 'id' ? `${fieldName}s` : input.name.replace(/Ids?$/, 's');
    const isRequired = isRequiredArgument(input as GraphQLArgument) || isRequiredInputField(input as GraphQLInputField);
    return fieldEntry(
      html`<code>${input.name}</code> <span class="type">${typeReference(input.type)}</span>${
        isRequired && html` <span class="required">required</span>`
      }`,
      input.description,
      input.defaultValue === undefined ? undefined : inlineMarkdown(`Default: \`${input.defaultValue}\`.`),
      queries.has(list) && list !== input.name && html`The ids are in <a href="#${list}">${list}</a>.`,
    );
  })}</dl>`;
}

/** The section of a type: its fields or values. */
export function typeSection(type: GraphQLNamedType, queries: ReadonlySet<string>): Section {
  return {
    id: typeId(type),
    title: type.name,
    text: html`${type.description && html`<p>${inlineMarkdown(type.description)}</p>`}${members(type, queries)}`,
  };
}

function members(type: GraphQLNamedType, queries: ReadonlySet<string>): Html | undefined {
  if (isInputObjectType(type)) return inputList(Object.values(type.getFields()), queries);
  if (isEnumType(type)) {
    return html`<dl class="fields">${type
      .getValues()
      .map(({ name, description }) => fieldEntry(html`<code>${name}</code>`, description))}</dl>`;
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  return html`<dl class="fields">${Object.values(type.getFields()).map(outputEntry)}</dl>`;
}

function outputEntry({ name, type, args, description, deprecationReason }: SchemaField): Html {
  return fieldEntry(
    html`<code>${name}${args.length > 0 && html`(${args.map(({ name }) => `${name}:`).join(' ')})`}</code> <span class="type">${typeReference(type)}</span>`,
    description,
    deprecationReason ? inlineMarkdown(`Deprecated: ${deprecationReason}`) : undefined,
  );
}

/** A root field, and the data that its section shows. */
export interface RootField {
  readonly kind: OperationKind;
  readonly field: SchemaField;
  /** In points. */
  readonly cost: number;
  /** An operation that selects it. */
  readonly example: string;
  /** The REST operation that does the same. */
  readonly rest: { readonly id: string; readonly method: string; readonly path: string } | undefined;
  /** The recipes of the cookbook that select it. */
  readonly recipes: readonly Recipe[];
}

/** An operation of the cookbook and its variables for the demo organization. */
export interface Recipe<Name extends string = string> {
  readonly name: Name;
  /** In Markdown. */
  readonly description: string;
  readonly query: string;
  /** JSON; undefined if the operation needs no variables. */
  readonly variables: string | undefined;
}

/** The section of a root field. @param queries the names of all queries. */
export function fieldSection(
  { kind, field, cost, example, rest, recipes }: RootField,
  queries: ReadonlySet<string>,
): Section {
  const { text, scope } = splitScope(field.description ?? '');
  const links = recipes.map(({ name }) => html`<a href="#recipe-${name}">${recipeTitle(name)}</a>`);
  const isStream = kind === 'subscription';
  // A query can have the same name.
  const id = isStream ? `${kind}-${field.name}` : field.name;
  return {
    id,
    title: field.name,
    text: html`
<p class="endpoint">${methodBadge(kind)} <code>${field.name}</code> <span class="type">${typeReference(field.type)}</span></p>
${markdown(text)}
${facts([
  ['Scope', scope],
  ['Cost', html`${quantity(cost, 'point')}${isStream && ', and 1 point each minute'}`],
  ...(rest ? [['REST', html`<a href="/docs#${rest.id}"><code>${rest.method} ${rest.path}</code></a>`] as const] : []),
  ...(links.length > 0 ? [['Cookbook', joinHtml(links)] as const] : []),
])}
${!isStream && tryIt('POST', '/graphql', [{ name: 'query', in: 'graphql', value: example }])}
`,
    code: samples(id, [
      { language: 'GraphQL', code: example },
      ...(isStream ? [{ language: 'curl', code: streamWithCurl(example) }] : []),
    ]),
    fields: html`${field.args.length > 0 && html`<h4>Arguments</h4>${inputList(field.args, queries, field.name)}`}`,
  };
}

/** A command that prints the events of a stream. */
function streamWithCurl(query: string): string {
  const body = JSON.stringify({ query: query.replaceAll(/\s+/g, ' ') });
  return `curl -N -H "X-Api-Key: $API_KEY" -H 'Content-Type: application/json' \\\n  -d '${body}' \\\n  ${SAMPLE_ORIGIN}/graphql`;
}

/** The section of a recipe. @param graphiql whether GraphiQL is served. */
export function recipeSection({ name, description, query, variables }: Recipe, graphiql: boolean): Section {
  const id = `recipe-${name}`;
  const given = variables === undefined ? [] : [variables.trim()];
  const link = new URLSearchParams({ query, ...(variables === undefined ? {} : { variables }) });
  return {
    id,
    title: recipeTitle(name),
    text: html`${markdown(description)}
${graphiql && html`<p><a href="/graphql#${link}">Open in GraphiQL</a></p>`}
${
  !query.startsWith('subscription') &&
  tryIt('POST', '/graphql', [
    { name: 'query', in: 'graphql', value: query },
    ...given.map((value) => ({ name: 'variables', in: 'graphql' as const, value })),
  ])
}
`,
    code: samples(id, [
      { language: 'GraphQL', code: query },
      ...given.map((code) => ({ language: 'Variables', code })),
    ]),
  };
}

/** `create-or-join` → `Create or join`. */
export function recipeTitle(name: string): string {
  return capitalize(name.replaceAll('-', ' '));
}

/** Splits a description into its text and the scope at its end. */
function splitScope(description: string): { readonly text: string; readonly scope: Html } {
  const [, text = description, scope] = /^(.*?)(?: Scope: (.+)\.)?$/s.exec(description) ?? [];
  if (scope === undefined) return { text, scope: html`none` };
  return { text, scope: scope.startsWith('`') ? html`<code>${scope.slice(1, -1)}</code>` : html`${scope}` };
}
