import { capitalize } from '../../../domain/values/words.ts';
import { requestPath } from '../../../http/request/rest-request.ts';
import { curlRequest } from '../../curl.ts';
import { type Html, html, joinHtml } from '../../html.ts';
import {
  example,
  facts,
  inlineMarkdown,
  json,
  markdown,
  methodBadge,
  SAMPLE_ORIGIN,
  type Sample,
  type Section,
  samples,
} from '../elements.ts';
import { type TryField, tryIt } from '../try-it.ts';
import type { ErrorCase, Operation, Schema } from './description.ts';
import { objectFields, parameterFields, typeOf } from './fields.ts';

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
${(['path', 'query', 'header'] as const).map((location) => {
  const located = parameters.filter((parameter) => parameter.in === location);
  return located.length > 0 && html`<h4>${capitalize(location)} parameters</h4>${parameterFields(located, listOf)}`;
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

/** A request that the demo organization accepts. */
export interface SampleRequest {
  readonly operation: Pick<Operation, 'id' | 'method' | 'path'>;
  /** Path and query parameters by name. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** The page size of samples. */
const SAMPLE_LIMIT = 2;

/** The sample request of an operation, from the examples of its description. */
export function sampleRequest(operation: Operation): SampleRequest {
  const values = operation.parameters.flatMap(({ name, in: location, example }): [string, unknown][] => {
    if (location === 'path') return [[name, example]];
    return name === 'limit' ? [[name, SAMPLE_LIMIT]] : [];
  });
  return { operation, parameters: Object.fromEntries(values), body: operation.body?.example };
}

/** The request in each language. The script of the page replaces the path, the body and the key in them. */
export function requestSamples({ operation, parameters, body }: SampleRequest): Sample[] {
  const request: Request = {
    method: operation.method,
    url: `${SAMPLE_ORIGIN}${requestPath(operation.path, parameters)}`,
    body: body === undefined ? undefined : json(body),
  };
  return [
    { language: 'curl', code: curlRequest(request.method, request.url, request.body) },
    { language: 'TypeScript', code: typeScript(request) },
    { language: 'Python', code: python(request) },
  ];
}

interface Request {
  readonly method: string;
  readonly url: string;
  /** JSON. */
  readonly body: string | undefined;
}

function typeScript({ method, url, body }: Request): string {
  const isWrite = method !== 'GET';
  const options = [
    ...(isWrite ? [`method: '${method}',`] : []),
    'headers: {',
    `  'X-Api-Key': process.env.API_KEY!,`,
    ...(isWrite ? [`  'Idempotency-Key': crypto.randomUUID(),`] : []),
    ...(body === undefined ? [] : [`  'Content-Type': 'application/json',`]),
    '},',
    ...(body === undefined ? [] : [`body: JSON.stringify(${body}),`]),
  ];
  return `const response = await fetch('${url}', {
${indent(options.join('\n'), 2)}
});
const { data, error } = await response.json();
if (error) throw new Error(\`\${error.code}: \${error.message}\`);
console.log(data);`;
}

function python({ method, url, body }: Request): string {
  const isWrite = method !== 'GET';
  const headers = ['"X-Api-Key": os.environ["API_KEY"]', ...(isWrite ? ['"Idempotency-Key": str(uuid.uuid4())'] : [])];
  const keywordArguments = [
    `headers={${headers.join(', ')}},`,
    ...(body === undefined ? [] : [`json=${pythonLiteral(body)},`]),
  ];
  return `import os${isWrite ? '\nimport uuid' : ''}

import requests

response = requests.${method.toLowerCase()}(
    "${url}",
${indent(keywordArguments.join('\n'), 4)}
)
response.raise_for_status()
print(response.json()["data"])`;
}

const CONSTANTS: Readonly<Record<string, string>> = { null: 'None', true: 'True', false: 'False' };

/** JSON with the constants of Python. A string is one token, so that nothing in it is replaced. */
function pythonLiteral(body: string): string {
  return body.replaceAll(/"(?:[^"\\]|\\.)*"|null|true|false/g, (token) => CONSTANTS[token] ?? token);
}

function indent(text: string, spaces: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(spaces));
}

/** The errors of an operation except the common ones, collapsed. @param common the errors of every operation. */
function operationErrors({ errors }: Operation, common: readonly ErrorCase[]): Html {
  const specific = errors.filter(({ code }) => !common.some((other) => other.code === code));
  return html`<details class="errors"><summary>Errors</summary>
${specific.length > 0 && errorList(specific)}
<p>${specific.length > 0 ? 'And those' : 'Those'} of <a href="#errors">every request</a>: ${joinHtml(common.map(({ code }) => html`<code>${code}</code>`))}.</p></details>`;
}

export function errorList(errors: readonly ErrorCase[], more?: (error: ErrorCase) => Html): Html {
  return html`<dl class="fields">${errors.map(
    (error) =>
      html`<div${more && html` id="error-${error.code}"`}><dt><code>${error.code}</code> <span class="type">${error.status}</span></dt><dd>${inlineMarkdown(`${capitalize(error.when)}.`)} ${more?.(error)}</dd></div>`,
  )}</dl>`;
}
