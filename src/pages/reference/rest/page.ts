import { type Html, html } from '../../html.ts';
import type { Page } from '../../layout.ts';
import { markdown, slug, splitSections } from '../markdown.ts';
import { contents, type NavigationGroup } from '../navigation.ts';
import { example, json, SAMPLE_ORIGIN } from '../samples.ts';
import { section } from '../section.ts';
import { keyField } from '../try-it.ts';
import { type Description, referenceName, type Schema } from './description.ts';
import { allErrors, commonErrors } from './errors.ts';
import { objectFields, spaced } from './fields.ts';
import { type OperationOptions, operationSection } from './operation.ts';

export interface RestPageOptions {
  readonly description: Description;
  readonly equivalents: OperationOptions['equivalents'];
  /** Filled in on the page. */
  readonly demoKey: string | undefined;
}

/** The reference of the REST API. */
export function restPage({ description, equivalents, demoKey }: RestPageOptions): Pick<Page, 'title' | 'main'> {
  const { operations, schemas, tags, introduction } = description;
  const { lead, sections } = splitSections(introduction);
  const options: OperationOptions = { schemas, common: commonErrors(operations), equivalents };
  const objects = objectsByTag(description);
  const general = sections.map(({ title }) => ({ id: slug(title), name: title }));
  const shared = objects.get(undefined) ?? [];
  const groups: NavigationGroup[] = [
    ...tags.map(({ name }) => ({
      title: name,
      id: slug(name),
      links: [
        ...operations
          .filter(({ tag }) => tag === name)
          .map(({ id, summary, method }) => ({ id, name: summary, method })),
        ...(objects.get(name) ?? []).map((id) => ({ id, name: `${spaced(id)} object` })),
      ],
    })),
    {
      title: 'All requests',
      id: 'all-requests',
      links: [...general, ...shared.map((id) => ({ id, name: `${spaced(id)} object` }))],
    },
  ];
  return {
    title: 'REST API reference',
    main: html`<a class="skip" href="#content">Skip the contents</a>
<div class="reference">
${contents(groups)}
<div class="content" id="content" tabindex="-1">
<h1>REST API reference</h1>
${markdown(lead)}
<p>Base URL: <code class="base">${SAMPLE_ORIGIN}/v1</code>. See <a href="#authentication">authentication</a>,
<a href="#rate-limiting">rate limiting</a>, <a href="#lists">lists</a>, <a href="#errors">errors</a>, and the
<a href="/openapi.json">OpenAPI document</a> of this page.</p>
${keyField(demoKey)}
${tags.map(
  ({ name, description }) => html`<h2 id="${slug(name)}">${name}</h2>${markdown(description)}
${operations.filter(({ tag }) => tag === name).map((operation) => operationSection(operation, options))}
${(objects.get(name) ?? []).map((object) => objectSection(object, schemas))}`,
)}
<h2 id="all-requests">All requests</h2>
${sections.map(({ title, text }) =>
  section({
    id: slug(title),
    title,
    text: html`${markdown(text)}${title === 'Errors' && allErrors(operations)}`,
  }),
)}
${shared.map((object) => objectSection(object, schemas))}
</div>
</div>`,
  };
}

function objectSection(name: string, schemas: Description['schemas']): Html {
  const schema = schemas[name] ?? {};
  const [value] = schema.examples ?? [];
  return section({
    id: name,
    title: `${spaced(name)} object`,
    text: html`${markdown(schema.description ?? '')}${objectFields(schema, schemas, 'record')}`,
    ...(value === undefined ? {} : { code: example(`${spaced(name)} object`, 'JSON', json(value)) }),
  });
}

/** The named objects in responses, by the tag of the operations that return them; those of several tags are under undefined. */
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
