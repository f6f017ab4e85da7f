import { capitalize } from '../../../domain/values/words.ts';
import { type Html, html, joinHtml } from '../../html.ts';
import { markdown } from '../markdown.ts';
import { example, json, type Sample, samples } from '../samples.ts';
import { facts, methodBadge, type Section } from '../section.ts';
import { type TryField, tryIt } from '../try-it.ts';
import type { ErrorCase, Operation, Schema } from './description.ts';
import { operationErrors } from './error-sections.ts';
import { objectFields, parameterFields, typeOf } from './fields.ts';
import { requestSamples, type SampleRequest, sampleRequest } from './request-samples.ts';

/** Options that are the same for all operations. */
export interface OperationOptions {
  readonly operations: readonly Operation[];
  /** The errors that every operation has. */
  readonly common: readonly ErrorCase[];
  /** The same requests in GraphQL, by operation id; without the operations that GraphQL does not have. */
  readonly equivalents: ReadonlyMap<string, string>;
}

/** The section of an operation. */
export function operationSection(operation: Operation, options: OperationOptions): Section {
  const { operations, common, equivalents } = options;
  const { id, method, path, summary, description, parameters, body, response } = operation;
  const lists = new Map(operations.filter(({ method }) => method === 'GET').map((one) => [one.path, one]));
  const listOf = (name: string) => lists.get(listPath(path, name));
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
  ['Returns', html`${response.status}, ${returnType(response.schema)}`],
])}
${tryIt(method, path, tryFields(operation, request))}
`,
    code: html`${samples(id, all)}${example(`Response ${response.status}`, 'JSON', json(response.example))}`,
    fields: html`
${(['path', 'query', 'header'] as const).map((place) => {
  const located = parameters.filter((parameter) => parameter.in === place);
  return located.length > 0 && html`<h4>${capitalize(place)} parameters</h4>${parameterFields(located, listOf)}`;
})}
${body && html`<h4>Body</h4>${objectFields(body.schema, 'input', body.example, listOf)}`}
${operationErrors(operation, common)}
`,
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
function returnType(schema: Schema): Html {
  const { data, pagination } = schema.properties ?? {};
  if (!data) return typeOf(schema);
  if (pagination && data.items) return html`a page of ${typeOf(data.items)}`;
  return typeOf(data);
}

/** The path of the list of the records whose ids a field takes: `/v1/tags` for `/v1/tags/{id}`, `tag_id` or `tag_ids`. */
function listPath(path: string, name: string): string {
  const [before = '', after] = path.split(`/{${name}}`);
  return after === undefined ? `/v1/${name.replace(/_ids?$/, 's')}` : before;
}

function tryFields({ parameters, body }: Operation, request: SampleRequest): TryField[] {
  return [
    ...parameters
      .filter(({ deprecated }) => !deprecated)
      .map(({ name, in: location, required = false, schema }) => ({
        name,
        in: location,
        required,
        value: String(request.parameters[name] ?? ''),
        ...inputOf(schema),
      })),
    ...(body ? [{ name: 'body', in: 'body' as const, required: true, value: json(body.example) }] : []),
  ];
}

/** The kind of input for a value. */
function inputOf({ type, enum: values, format, items }: Schema): Pick<TryField, 'type' | 'options' | 'isList'> {
  if (items) return { ...inputOf(items), type: 'text', isList: true };
  if (values) return { options: values.map(String) };
  if (type === 'boolean') return { options: ['true', 'false'] };
  if (type === 'integer') return { type: 'number' };
  return format === 'date' ? { type: 'date' } : {};
}
