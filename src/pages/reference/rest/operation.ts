import { type Html, html, joinHtml } from '../../html.ts';
import { markdown } from '../markdown.ts';
import { methodBadge } from '../navigation.ts';
import { example, json, type Sample, samples } from '../samples.ts';
import { facts, type Section } from '../section.ts';
import { type TryField, tryIt } from '../try-it.ts';
import type { Description, ErrorCase, Operation, Parameter, Schema } from './description.ts';
import { operationErrors } from './errors.ts';
import { objectFields, parameterFields, typeOf } from './fields.ts';
import { requestSamples, type SampleRequest, sampleRequest } from './request-samples.ts';

/** Options that are the same for all operations. */
export interface OperationOptions {
  readonly schemas: Description['schemas'];
  /** The errors that every operation has. */
  readonly common: readonly ErrorCase[];
  /** The same requests in GraphQL, by operation id; without the operations that GraphQL does not have. */
  readonly equivalents: ReadonlyMap<string, string>;
}

const PARAMETERS: readonly (readonly [Parameter['in'], string])[] = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
];

/** The section of an operation. */
export function operationSection(operation: Operation, options: OperationOptions): Section {
  const { schemas, common, equivalents } = options;
  const { id, method, path, summary, description, parameters, body, response } = operation;
  const request = sampleRequest(operation);
  const equivalent = equivalents.get(id);
  const all: Sample[] = [
    ...requestSamples(request),
    ...(equivalent === undefined ? [] : [{ language: 'GraphQL', code: equivalent }]),
  ];
  return {
    id,
    title: summary,
    method,
    alias: id,
    text: html`
<p class="endpoint">${methodBadge(method)} <code>${path}</code></p>
${markdown(description)}
${facts([
  ['Scope', scopesOf(operation)],
  ['Cost', costOf(operation)],
  ['Returns', html`${response.status}, ${returnType(response.schema, schemas)}`],
])}
${PARAMETERS.map(([place, title]) => {
  const located = parameters.filter((parameter) => parameter.in === place);
  return located.length > 0 && html`<h4>${title}</h4>${parameterFields(located, schemas)}`;
})}
${body && html`<h4>Body</h4>${objectFields(body.schema, schemas, 'input', body.example)}`}
${operationErrors(operation, common)}
`,
    form: tryIt(id, method, path, tryFields(operation, request)),
    code: html`${samples(id, all)}${example(`Response ${response.status}`, 'JSON', json(response.example))}`,
  };
}

function scopesOf({ scopes }: Operation): Html {
  const [first, ...others] = scopes;
  if (first === undefined) return html`none`;
  if (others.length === 0) return html`<code>${first}</code>`;
  return html`at least one of ${joinHtml(scopes.map((scope) => html`<code>${scope}</code>`))}`;
}

/** The cost of a request: one point, and one more for counting a list. */
function costOf({ parameters }: Operation): Html {
  return parameters.some(({ name }) => name === 'count')
    ? html`1 point, 2 with <code>count=true</code>`
    : html`1 point`;
}

/** The type of `data` in the response. */
function returnType(schema: Schema, schemas: Description['schemas']): Html {
  const { data, pagination } = schema.properties ?? {};
  if (!data) return typeOf(schema, schemas);
  if (pagination && data.items) return html`a page of ${typeOf(data.items, schemas)}`;
  return typeOf(data, schemas);
}

function tryFields({ parameters, body }: Operation, request: SampleRequest): TryField[] {
  return [
    ...parameters.map(({ name, in: place, required = false }) => ({
      name,
      in: place,
      required,
      value: String(request.parameters[name] ?? ''),
    })),
    ...(body ? [{ name: 'body', in: 'body' as const, value: json(body.example) }] : []),
  ];
}
