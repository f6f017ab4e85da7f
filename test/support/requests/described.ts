import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { App } from '../../../src/app.ts';
import { openApiDocument } from '../../../src/rest/openapi/document.ts';

interface Reference {
  readonly $ref: string;
}
interface DescribedResponse {
  readonly headers: Record<string, Reference>;
}
interface Header {
  readonly required?: boolean;
  readonly schema: object;
}
interface Description {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, DescribedResponse | Reference> }>>;
  readonly components: {
    readonly responses: Record<string, DescribedResponse>;
    readonly headers: Record<string, Header>;
  };
}

/** A response of the description, and its JSON pointer. */
interface Expected {
  readonly pointer: string;
  readonly headers: Record<string, Reference>;
}

const description = closed(openApiDocument());
const templates = Object.entries(description.paths).map(([path, methods]) => ({
  path,
  methods,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

const DOCUMENT = 'openapi.json';
const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }));
ajv.addSchema(description, DOCUMENT, false, false);

/** Deviations of responses from the description; they fail the test that sent the requests. */
const deviations: string[] = [];

/** The deviations since the last call. */
export function takeDeviations(): string[] {
  return deviations.splice(0);
}

/** The same app, which validates every response below `/v1` against the description at `/openapi.json`. */
export function described(app: App): App {
  return {
    ...app,
    fetch: async (request, connection) => {
      const response = await app.fetch(request, connection);
      const { pathname } = new URL(request.url);
      const isPage = request.headers.get('accept')?.includes('text/html') && response.headers.get('vary') === 'Accept';
      if (pathname.startsWith('/v1/') && !isPage) {
        const faults = await faultsOf(request.method, pathname.slice('/v1'.length), response.clone());
        deviations.push(...faults.map((fault) => `${request.method} ${pathname} → ${response.status}: ${fault}`));
      }
      return response;
    },
  };
}

async function faultsOf(method: string, path: string, response: Response): Promise<string[]> {
  const template = templates.find(({ pattern }) => pattern.test(path));
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  const isOperation = template?.methods[name] !== undefined;
  if (template && !isOperation && [204, 405].includes(response.status)) {
    return response.headers.has('allow') ? [] : ['Allow is missing'];
  }
  const expected = isOperation
    ? operationResponse(template.path, name, response.status)
    : sharedResponse(response.status, template === undefined);
  if (!expected) return ['this status is not described'];
  const faults = headerFaults(response.headers, expected.headers);
  return method === 'HEAD' ? faults : [...faults, ...(await bodyFaults(response, expected.pointer))];
}

function operationResponse(path: string, method: string, status: number): Expected | undefined {
  const response = description.paths[path]?.[method]?.responses[status];
  if (!response) return undefined;
  if ('$ref' in response) return componentResponse(nameOf(response));
  const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
  return { pointer: `#/paths/${escaped}/${method}/responses/${status}`, headers: response.headers };
}

/** The responses that any request can have, even if it does not match an operation. */
function sharedResponse(status: number, pathIsUnknown: boolean): Expected | undefined {
  const names = { 401: 'Unauthorized', 429: 'RateLimited', 500: 'InternalError', 503: 'Unavailable' };
  const name = { ...names, ...(pathIsUnknown && { 404: 'NotFound' }) }[status];
  return name === undefined ? undefined : componentResponse(name);
}

function componentResponse(name: string): Expected {
  const { headers } = description.components.responses[name] as DescribedResponse;
  return { pointer: `#/components/responses/${name}`, headers };
}

function nameOf({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** Headers that must be documented if a response has them. */
const DESCRIBED_HEADERS = /^(x-(ratelimit|request)-.+|retry-after|idempotency-replayed)$/;

function headerFaults(sent: Headers, headers: Record<string, Reference>): string[] {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const surplus = [...sent.keys()].filter((name) => DESCRIBED_HEADERS.test(name) && !names.includes(name));
  return [
    ...surplus.map((name) => `the header ${name} is not described`),
    ...Object.entries(headers).flatMap(([name, reference]) => {
      const { required, schema } = description.components.headers[nameOf(reference)] as Header;
      const value = sent.get(name);
      if (value === null) return required ? [`the header ${name} is missing`] : [];
      const typed = 'type' in schema && schema.type === 'integer' ? Number(value) : value;
      return ajv.validate(schema, typed) ? [] : [`the header ${name} is ${value}`];
    }),
  ];
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(pointer: string): ValidateFunction {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `${DOCUMENT}${pointer}` });
  validators.set(pointer, validate);
  return validate;
}

async function bodyFaults(response: Response, pointer: string): Promise<string[]> {
  const type = response.headers.get('content-type');
  if (type !== 'application/json') return [`the body is ${type}`];
  const validate = validatorOf(`${pointer}/content/application~1json/schema`);
  const body = await response.json();
  return validate(body) ? [] : [`${ajv.errorsText(validate.errors, { dataVar: 'body' })} in ${JSON.stringify(body)}`];
}

/** The description, with unknown properties disallowed. */
function closed(document: string): Description {
  return JSON.parse(document, (_key, value) =>
    value?.type === 'object' && value.properties ? { additionalProperties: false, ...value } : value,
  );
}
