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
import { type Html, html } from '../../html.ts';
import { inlineMarkdown } from '../markdown.ts';
import { fieldEntry, type Section } from '../section.ts';
import type { SchemaField } from './document.ts';

function typeId(type: GraphQLNamedType): string {
  return `type-${type.name}`;
}

/** A type in GraphQL's notation, with a link to its section. */
export function typeReference(type: GraphQLType): Html {
  if (isNonNullType(type)) return html`${typeReference(type.ofType)}!`;
  if (isListType(type)) return html`[${typeReference(type.ofType)}]`;
  return isSpecifiedScalarType(type) ? html`${type.name}` : html`<a href="#${typeId(type)}">${type.name}</a>`;
}

/**
 * Arguments or input fields. Those that take ids link to the query that lists the records: `tagIds` to `tags`.
 *
 * @param fieldName the field of the arguments: its argument `id` links to the list with its plural name.
 */
export function inputList(
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
