import { html } from '../../html.ts';
import { markdown, slug, splitSections } from '../markdown.ts';
import { example, json, SAMPLE_ORIGIN } from '../samples.ts';
import type { Reference, Section } from '../section.ts';
import { type Description, referenceName, type Schema } from './description.ts';
import { allErrors, commonErrors } from './errors.ts';
import { objectFields, spaced } from './fields.ts';
import { type OperationOptions, operationSection } from './operation.ts';

/** Options of {@link restReference}. */
export interface RestReferenceOptions {
  readonly description: Description;
  readonly equivalents: OperationOptions['equivalents'];
}

/** The reference of the REST API. */
export function restReference({ description, equivalents }: RestReferenceOptions): Reference {
  const { operations, schemas, tags, introduction } = description;
  const { lead, sections } = splitSections(introduction);
  const options: OperationOptions = { description, common: commonErrors(operations), equivalents };
  const objects = objectsByTag(description);
  const objectSections = (tag: string | undefined) =>
    (objects.get(tag) ?? []).map((name) => objectSection(name, schemas));
  return {
    lead: html`${markdown(lead)}
<p>Base URL: <code>${SAMPLE_ORIGIN}/v1</code>. This page is also an <a href="/openapi.json">OpenAPI document</a>.</p>`,
    groups: [
      {
        title: 'All requests',
        id: 'all-requests',
        sections: sections.map(({ title, text }) => ({
          id: slug(title),
          title,
          text: html`${markdown(text)}${title === 'Errors' && allErrors(operations)}`,
        })),
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

function objectSection(name: string, schemas: Description['schemas']): Section {
  const schema = schemas[name] ?? {};
  const [value] = schema.examples ?? [];
  return {
    id: name,
    title: `${spaced(name)} object`,
    text: html`${markdown(schema.description ?? '')}${objectFields(schema, schemas, 'record')}`,
    ...(value === undefined ? {} : { code: example(`${spaced(name)} object`, 'JSON', json(value)) }),
  };
}

/**
 * The names of the objects in responses by the tag of the operations that return them. The key is undefined for objects
 * that operations of several tags return.
 */
function objectsByTag({ operations, schemas }: Description): Map<string | undefined, string[]> {
  const tagsOf = new Map<string, Set<string>>();
  const visit = (schema: Schema, tag: string) => {
    const name = referenceName(schema);
    const target = name === undefined ? schema : (schemas[name] ?? {});
    if (name !== undefined && target.properties) {
      const tags = tagsOf.get(name) ?? new Set();
      if (tags.has(tag)) return;
      tagsOf.set(name, tags.add(tag));
    }
    const { properties = {}, anyOf = [], items } = target;
    for (const part of [...Object.values(properties), ...anyOf, ...(items ? [items] : [])]) visit(part, tag);
  };
  for (const { tag, response } of operations) visit(response.schema, tag);
  const byTag = new Map<string | undefined, string[]>();
  for (const [name, tags] of tagsOf) {
    // An object that a GET operation returns belongs to the tag of that operation, even if other operations return it
    // too.
    const ofGet = operations.find(({ method, response: { schema } }) => method === 'GET' && dataName(schema) === name);
    const tag = ofGet?.tag ?? (tags.size === 1 ? [...tags][0] : undefined);
    byTag.set(tag, [...(byTag.get(tag) ?? []), name]);
  }
  return byTag;
}

/** The name of the schema of `data`, or of its items. */
function dataName({ properties }: Schema): string | undefined {
  const data = properties?.data;
  return data && referenceName(data.items ?? data);
}
