import { curlRequest } from '../../curl.ts';
import { json, SAMPLE_ORIGIN, type Sample } from '../samples.ts';
import type { Operation } from './description.ts';

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
  const values = operation.parameters.flatMap(({ name, in: place, example }): [string, unknown][] => {
    if (place === 'path') return [[name, example]];
    return name === 'limit' ? [[name, SAMPLE_LIMIT]] : [];
  });
  return { operation, parameters: Object.fromEntries(values), body: operation.body?.example };
}

/** The request in each language. */
export function requestSamples(request: SampleRequest): Sample[] {
  return [
    { language: 'curl', code: curl(request) },
    { language: 'TypeScript', code: typeScript(request) },
    { language: 'Python', code: python(request) },
  ];
}

function pathOf({ operation, parameters }: SampleRequest): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])));
}

function queryOf({ operation, parameters }: SampleRequest): [string, unknown][] {
  return Object.entries(parameters).filter(([name]) => !operation.path.includes(`{${name}}`));
}

function urlOf(request: SampleRequest): string {
  const query = new URLSearchParams(queryOf(request).map(([name, value]) => [name, String(value)])).toString();
  return `${SAMPLE_ORIGIN}${pathOf(request)}${query && `?${query}`}`;
}

function curl(request: SampleRequest): string {
  const { operation, body } = request;
  return curlRequest(operation.method, urlOf(request), body === undefined ? undefined : json(body));
}

function typeScript(request: SampleRequest): string {
  const { operation, body } = request;
  const isWrite = operation.method !== 'GET';
  const options = [
    ...(isWrite ? [`method: '${operation.method}',`] : []),
    'headers: {',
    `  'X-Api-Key': process.env.API_KEY!,`,
    ...(isWrite ? [`  'Idempotency-Key': crypto.randomUUID(),`] : []),
    ...(body === undefined ? [] : [`  'Content-Type': 'application/json',`]),
    '},',
    ...(body === undefined ? [] : [`body: JSON.stringify(${scriptLiteral(body)}),`]),
  ];
  return `const response = await fetch('${urlOf(request)}', {
${indent(options.join('\n'), 2)}
});
const { data, error } = await response.json();
if (error) throw new Error(\`\${error.code}: \${error.message}\`);
console.log(data);`;
}

/** JSON with the names and quotes of JavaScript. */
function scriptLiteral(value: unknown): string {
  return json(value)
    .replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replaceAll(/"((?:[^"\\]|\\.)*)"/g, (text, content: string) => (/['\\]/.test(content) ? text : `'${content}'`))
    .replaceAll(/([^[{,])$/gm, '$1,')
    .slice(0, -1);
}

function python(request: SampleRequest): string {
  const { operation, body } = request;
  const query = queryOf(request);
  const headers = [
    '"X-Api-Key": os.environ["API_KEY"]',
    ...(operation.method === 'GET' ? [] : ['"Idempotency-Key": str(uuid.uuid4())']),
  ];
  const keywordArguments = [
    headers.length === 1 ? `headers={${headers[0]}},` : `headers={\n${indent(headers.join(',\n'), 4)},\n},`,
    ...(query.length > 0 ? [`params=${pythonLiteral(Object.fromEntries(query))},`] : []),
    ...(body === undefined ? [] : [`json=${pythonLiteral(body)},`]),
  ];
  return `import os${operation.method === 'GET' ? '' : '\nimport uuid'}

import requests

response = requests.${operation.method.toLowerCase()}(
    "${SAMPLE_ORIGIN}${pathOf(request)}",
${indent(keywordArguments.join('\n'), 4)}
)
response.raise_for_status()
print(response.json()["data"])`;
}

/** JSON with the constants of Python, on one line if it is short. */
function pythonLiteral(value: unknown): string {
  const json = JSON.stringify(value);
  const isShort = json.length < 40;
  const tokens = isShort ? { ...CONSTANTS, ':': ': ', ',': ', ' } : CONSTANTS;
  // A string is one token, so that nothing in it is replaced.
  return (isShort ? json : JSON.stringify(value, null, 4)).replaceAll(
    /"(?:[^"\\]|\\.)*"|null|true|false|[:,]/g,
    (token) => tokens[token] ?? token,
  );
}

const CONSTANTS: Readonly<Record<string, string>> = { null: 'None', true: 'True', false: 'False' };

function indent(text: string, spaces: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(spaces));
}
