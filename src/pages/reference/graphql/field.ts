import { capitalize, quantity } from '../../../domain/values/words.ts';
import { type Html, html, joinHtml } from '../../html.ts';
import { markdown } from '../markdown.ts';
import { methodBadge } from '../navigation.ts';
import { samples } from '../samples.ts';
import { facts, type Section } from '../section.ts';
import { tryIt } from '../try-it.ts';
import type { SchemaField } from './document.ts';
import { inputList, typeReference } from './types.ts';

/** A root field, and the data that its section shows. */
export interface RootField {
  readonly kind: 'query' | 'mutation';
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
  readonly query: string;
  /** JSON; undefined if the operation needs no variables. */
  readonly variables: string | undefined;
}

/** The section of a query or mutation. */
export function fieldSection({ kind, field, cost, example, rest, recipes }: RootField): Section {
  const { text, scope } = splitScope(field.description ?? '');
  return {
    id: field.name,
    title: field.name,
    text: html`
<p class="endpoint">${methodBadge(kind)} <code>${field.name}</code> <span class="type">${typeReference(field.type)}</span></p>
${markdown(text)}
${facts([
  ['Scope', scope],
  ['Cost', html`${quantity(cost, 'point')}`],
  ...(rest ? [['REST', html`<a href="/docs#${rest.id}"><code>${rest.method} ${rest.path}</code></a>`] as const] : []),
  ...(recipes.length > 0
    ? [
        [
          'Cookbook',
          joinHtml(recipes.map(({ name }) => html`<a href="#recipe-${name}">${recipeTitle(name)}</a>`)),
        ] as const,
      ]
    : []),
])}
${field.args.length > 0 && html`<h4>Arguments</h4>${inputList(field.args)}`}
`,
    form: tryIt(field.name, 'POST', '/graphql', [{ name: 'query', in: 'graphql', value: example }]),
    code: samples(field.name, [{ language: 'GraphQL', code: example }]),
  };
}

/** The section of a recipe. @param graphiql whether GraphiQL is served. */
export function recipeSection({ name, query, variables }: Recipe, graphiql: boolean): Section {
  const id = `recipe-${name}`;
  const comments = query.match(/^(?:# .*\n)+/)?.[0] ?? '';
  const link = new URLSearchParams({ query, ...(variables === undefined ? {} : { variables }) });
  return {
    id,
    title: recipeTitle(name),
    text: html`${markdown(comments.replaceAll(/^# /gm, '').trim())}
${graphiql && html`<p><a href="/graphql#${link}">Open in GraphiQL</a></p>`}
`,
    form: tryIt(id, 'POST', '/graphql', [
      { name: 'query', in: 'graphql', value: query.slice(comments.length) },
      ...(variables === undefined ? [] : [{ name: 'variables', in: 'graphql' as const, value: variables.trim() }]),
    ]),
    code: samples(id, [
      { language: 'GraphQL', code: query.slice(comments.length).trim() },
      ...(variables === undefined ? [] : [{ language: 'Variables', code: variables.trim() }]),
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
