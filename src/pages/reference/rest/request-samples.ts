import { requestPath } from '../../../http/request/rest-request.ts';
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
