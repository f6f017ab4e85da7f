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
import type { Section } from '../section.ts';
import type { SchemaField } from './document.ts';

/** The id of a type's section. */
function typeId(type: GraphQLNamedType): string {
  return `type-${type.name}`;
}

/** A type in GraphQL's notation, with a link to its section. */
export function typeReference(type: GraphQLType): Html {
  if (isNonNullType(type)) return html`${typeReference(type.ofType)}!`;
  if (isListType(type)) return html`[${typeReference(type.ofType)}]`;
  return isSpecifiedScalarType(type) ? html`${type.name}` : html`<a href="#${typeId(type)}">${type.name}</a>`;
}

/** Arguments or input fields. */
export function inputList(inputs: readonly (GraphQLArgument | GraphQLInputField)[]): Html {
  return html`<dl class="fields">${inputs.map((input) => {
    const isRequired = isRequiredArgument(input as GraphQLArgument) || isRequiredInputField(input as GraphQLInputField);
    return entry(
      html`<code>${input.name}</code> <span class="type">${typeReference(input.type)}</span>${
        isRequired && html` <span class="required">required</span>`
      }`,
      input.description,
      input.defaultValue === undefined ? undefined : `Default: \`${input.defaultValue}\`.`,
    );
  })}</dl>`;
}

/** The section of a type: its fields or values. */
export function typeSection(type: GraphQLNamedType): Section {
  return {
    id: typeId(type),
    title: type.name,
    text: html`${type.description && html`<p>${inlineMarkdown(type.description)}</p>`}${members(type)}`,
  };
}

function members(type: GraphQLNamedType): Html | undefined {
  if (isInputObjectType(type)) return inputList(Object.values(type.getFields()));
  if (isEnumType(type)) {
    return html`<dl class="fields">${type
      .getValues()
      .map(({ name, description }) => entry(html`<code>${name}</code>`, description))}</dl>`;
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  return html`<dl class="fields">${Object.values(type.getFields()).map(fieldEntry)}</dl>`;
}

function fieldEntry({ name, type, args, description, deprecationReason }: SchemaField): Html {
  return entry(
    html`<code>${name}${args.length > 0 && html`(${args.map(({ name }) => `${name}:`).join(' ')})`}</code> <span class="type">${typeReference(type)}</span>`,
    description,
    deprecationReason ? `Deprecated: ${deprecationReason}` : undefined,
  );
}

function entry(term: Html, description: string | null | undefined, remark?: string): Html {
  return html`<div><dt>${term}</dt><dd>${inlineMarkdown(description ?? '')}${
    remark !== undefined && html` <span class="limits">${inlineMarkdown(remark)}</span>`
  }</dd></div>`;
}
