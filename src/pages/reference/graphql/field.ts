import { capitalize, quantity } from '../../../domain/values/words.ts';
import { type Html, html, joinHtml } from '../../html.ts';
import { markdown } from '../markdown.ts';
import { SAMPLE_ORIGIN, samples } from '../samples.ts';
import { facts, methodBadge, type Section } from '../section.ts';
import { tryIt } from '../try-it.ts';
import type { OperationKind, SchemaField } from './document.ts';
import { inputList, typeReference } from './types.ts';

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
