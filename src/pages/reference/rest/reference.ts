import { type Html, html } from '../../html.ts';
import { requestWay } from '../drawing.ts';
import {
  drawing,
  example,
  json,
  markdown,
  type Reference,
  SAMPLE_ORIGIN,
  type Section,
  slug,
  splitSections,
} from '../elements.ts';
import type { Description, ErrorCase, Operation, Schema } from './description.ts';
import { objectFields, spaced } from './fields.ts';
import { errorList, type OperationOptions, operationSection } from './operation.ts';

/**
 * The reference of the REST API.
 *
 * @param equivalents the same requests in GraphQL, by operation id.
 * @param model the drawing of the data model.
 */
export function restReference(
  description: Description,
  equivalents: OperationOptions['equivalents'],
  model: string,
): Reference {
  const { operations, tags, introduction } = description;
  const { lead, sections } = splitSections(introduction);
  const options: OperationOptions = { operations, common: commonErrors(operations), equivalents };
  const objects = objectsByTag(operations);
  const objectSections = (tag: string | undefined) => (objects.get(tag) ?? []).map(objectSection);
  return {
    lead: html`${markdown(lead)}
<p>Base URL: <code>${SAMPLE_ORIGIN}/v1</code>. This page is also an <a href="/openapi.json">OpenAPI document</a>.</p>`,
    groups: [
      {
        title: 'All requests',
        id: 'all-requests',
        sections: [
          {
            id: 'data-model',
            title: 'Data model',
            text: drawing(model, 'The records of an organization, and the GraphQL fields between them.'),
          },
          ...sections.map(({ title, text }) => ({
            id: slug(title),
            title,
            text: html`${markdown(text)}${title === 'Errors' && html`${drawing(requestWay(), 'The checks of a request, in order.')}${allErrors(operations)}`}`,
          })),
        ],
      },
      ...tags.map(({ name, description }) => ({
        title: name,
        id: slug(name),
        lead: markdown(description),
        sections: [
          ...operations.filter(({ tag }) => tag === name).map((operation) => operationSection(operation, options)),
          ...objectSections(name),
        ],
      })),
      { title: 'Shared objects', id: 'shared-objects', sections: objectSections(undefined) },
    ],
  };
}

function objectSection(schema: Schema): Section {
  const { component: id = '', description = '', examples: [value] = [] } = schema;
  const title = `${spaced(id)} object`;
  return {
    id,
    title,
    text: html`${markdown(description)}${objectFields(schema, 'record')}`,
    ...(value === undefined ? {} : { code: example(title, 'JSON', json(value)) }),
  };
}

/**
 * The objects in responses by the tag of the operations that return them. The key is undefined for objects that operations
 * of several tags return.
 */
function objectsByTag(operations: readonly Operation[]): Map<string | undefined, Schema[]> {
  const objects = new Map<string, { readonly schema: Schema; readonly tags: Set<string> }>();
  const visit = (schema: Schema, tag: string) => {
    const { component, properties, anyOf = [], items } = schema;
    if (component !== undefined && properties) {
      const { tags } = objects.get(component) ?? { tags: new Set() };
      if (tags.has(tag)) return;
      objects.set(component, { schema, tags: tags.add(tag) });
    }
    for (const part of [...Object.values(properties ?? {}), ...anyOf, ...(items ? [items] : [])]) visit(part, tag);
  };
  for (const { tag, response } of operations) visit(response.schema, tag);
  const byTag = new Map<string | undefined, Schema[]>();
  for (const [name, { schema, tags }] of objects) {
    // An object that a GET operation returns belongs to its tag, even if other operations return it too.
    const ofGet = operations.find(({ method, response }) => method === 'GET' && dataName(response.schema) === name);
    const tag = ofGet?.tag ?? (tags.size === 1 ? [...tags][0] : undefined);
    byTag.set(tag, [...(byTag.get(tag) ?? []), schema]);
  }
  return byTag;
}

/** The name of the schema of `data`, or of its items. */
function dataName({ properties }: Schema): string | undefined {
  const data = properties?.data;
  return (data?.items ?? data)?.component;
}

/** The errors that every operation can return. The reference describes them once. */
function commonErrors(operations: readonly Operation[]): ErrorCase[] {
  const [first, ...others] = operations;
  return (first?.errors ?? []).filter(({ code }) =>
    others.every(({ errors }) => errors.some((other) => other.code === code)),
  );
}

/** All errors of the API, each with an example of its message. */
function allErrors(operations: readonly Operation[]): Html {
  const errors = operations.flatMap(({ errors }) => errors);
  const first = errors.filter(({ code }, index) => errors.findIndex((other) => other.code === code) === index);
  const sorted = first.sort((a, b) => Number(a.status) - Number(b.status));
  return errorList(sorted, ({ message }) => html`<span class="limits">“${message}”</span>`);
}
