import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { type ErrorCode, invalidRequest, ServiceError } from '../../domain/core/errors.ts';
import { quantity } from '../../domain/values/words.ts';
import { type Cli, printResult } from '../cli.ts';
import { RESPONSE_TIMEOUT_MS, sendRequest } from '../send-request.ts';
import { parseServiceUrl } from '../service-url.ts';

interface PreflightOptions {
  readonly url: string;
  readonly body?: string;
  readonly variables?: string;
  readonly operation?: string;
}

/** An error that the request would get. */
interface Refusal {
  readonly code: string;
  readonly message: string;
  /** The path of the field in a GraphQL operation. */
  readonly path?: readonly string[];
}

/** The result of a preflight, in the same form for both APIs. */
interface Preflight {
  readonly cost: number;
  readonly scopes: { readonly needed: readonly string[]; readonly missing: readonly string[] };
  readonly maxRecords: number | null;
  /** The rate limit of the key, in points per minute. */
  readonly rateLimit: { readonly limit: number; readonly remaining: number };
  readonly refusals: readonly Refusal[];
  /** The same request in the other API, as text. */
  readonly translation: string;
}

/** A request to the service. */
interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of a response
  readonly read: (json: any) => Preflight | undefined;
}

const PORT = '4000';

/** Adds `preflight`. */
export function addPreflightCommand(program: Command, cli: Cli): void {
  const port = cli.environment.PORT || PORT;
  program
    .command('preflight')
    .description('show what a request would cost and which errors it would get, without running it')
    .argument('<request>', 'a REST request, a file with a GraphQL operation, or - for standard input')
    .option('--url <url>', 'the address of the service', `http://127.0.0.1:${port}`)
    .option('--body <json>', 'the body of a REST request')
    .option('--variables <json>', 'the variables of a GraphQL operation')
    .option('--operation <name>', 'the name of the GraphQL operation, if there are several')
    .addHelpText(
      'after',
      '\nThe environment variable CMS_API_KEY must be the API key of the request. The exit code is 1 if the request would be' +
        `\nrejected. The service must respond within ${RESPONSE_TIMEOUT_MS / 1_000} seconds.` +
        "\n\nExamples:\n  $ CMS_API_KEY=cms_… cms preflight 'GET /v1/members?limit=5'" +
        '\n  $ CMS_API_KEY=cms_… cms preflight docs/cookbook/directory.graphql',
    )
    .action((request: string, options: PreflightOptions) => showPreflight(cli, request, options));
}

async function showPreflight(cli: Cli, request: string, options: PreflightOptions): Promise<void> {
  const key = cli.environment.CMS_API_KEY?.trim() ?? '';
  // Other characters cannot be sent in a header, and the error would contain the key.
  if (!/^[!-~]+$/.test(key)) throw invalidRequest({ field: 'CMS_API_KEY', message: 'must be set to an API key' });
  const isRest = /^[A-Z]+ \//.test(request);
  rejectOptionsOf(isRest ? 'GraphQL operation' : 'REST request', options);
  const { method, path, body, read } = isRest ? restRequest(request, options) : await graphqlRequest(request, options);
  // Concatenated, not resolved: a resolved path could send the API key to another host.
  const url = `${parseServiceUrl(options.url)}${path}`;
  const headers = { 'X-Api-Key': key, Preflight: 'true', 'Content-Type': 'application/json' };
  // A redirect could lead to another host with the API key.
  const init: RequestInit = { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) };
  const { response, json } = await sendRequest(httpRequest(url, init));
  const location = response.status < 400 ? response.headers.get('Location') : null;
  if (location !== null) throw invalidRequest({ field: '--url', message: `redirects to ${location}` });
  const result = read(json);
  if (!result) throw refusalOf(json, response.status);
  if (result.refusals.length > 0) cli.setExitCode(1);
  await printResult(cli, { ...json }, () => format(result));
}

/** @throws {ServiceError} `invalid_request` when it cannot be sent, as a GET request with a body. */
function httpRequest(url: string, init: RequestInit): globalThis.Request {
  try {
    return new globalThis.Request(url, init);
  } catch (error) {
    throw invalidRequest({ field: 'request', message: `cannot be sent (${(error as Error).message})` });
  }
}

/** Returns the error of a preflight that the service rejects as it would reject the request, such as `invalid_api_key`. */
// biome-ignore lint/suspicious/noExplicitAny: the JSON of a response
function refusalOf(json: any, status: number): ServiceError {
  const { error = json?.errors?.[0] } = json ?? {};
  const code = error?.code ?? error?.extensions?.code;
  if (typeof code === 'string') return new ServiceError(code as ErrorCode, String(error.message));
  return new ServiceError('invalid_request', `the service responded with status ${status}`);
}

/** The options that only one kind of request has. */
const OPTIONS = { 'REST request': ['body'], 'GraphQL operation': ['variables', 'operation'] } as const;

/** @throws {ServiceError} `invalid_request` for options of the other kind of request, which would have no effect. */
function rejectOptionsOf(kind: keyof typeof OPTIONS, options: PreflightOptions): void {
  const unused = OPTIONS[kind].filter((name) => options[name] !== undefined);
  if (unused.length === 0) return;
  throw invalidRequest(...unused.map((name) => ({ field: `--${name}`, message: `can only be used with a ${kind}` })));
}

function restRequest(request: string, { body }: PreflightOptions): Request {
  const [, method = '', path = ''] = /^([A-Z]+) (.*)$/s.exec(request) ?? [];
  return {
    method,
    path,
    body,
    read: (json) => {
      const preflight = json?.preflight;
      return (
        preflight && {
          ...preflight,
          maxRecords: preflight.max_records,
          rateLimit: preflight.rate_limit,
          refusals: preflight.refusal ? [preflight.refusal] : [],
          translation: preflight.graphql
            ? `In GraphQL:\n${preflight.graphql.query}\nVariables: ${JSON.stringify(preflight.graphql.variables)}\n`
            : '',
        }
      );
    },
  };
}

async function graphqlRequest(request: string, { variables, operation }: PreflightOptions): Promise<Request> {
  const query = request === '-' ? await text(process.stdin) : await readOperation(request);
  return {
    method: 'POST',
    path: '/graphql',
    body: JSON.stringify({ query, variables: parseVariables(variables), operationName: operation }),
    read: (json) => {
      const preflight = json?.extensions?.preflight;
      return (
        preflight && {
          ...preflight,
          // biome-ignore lint/suspicious/noExplicitAny: GraphQL errors
          refusals: preflight.refusals.map(({ message, path, extensions }: any) => ({
            code: extensions.code,
            message,
            path,
          })),
          translation: preflight.rest ? formatRest(preflight.rest) : '',
        }
      );
    },
  };
}

async function readOperation(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const message = `must be a request as in 'GET /v1/members', a file or - (${(error as Error).message})`;
    throw invalidRequest({ field: 'request', message });
  }
}

function parseVariables(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const variables = parseJson(text);
  if (typeof variables === 'object' && variables !== null && !Array.isArray(variables)) return variables;
  throw invalidRequest({ field: '--variables', message: 'must be a JSON object' });
}

/** The value of a JSON text; undefined if it is invalid. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface RestTranslation {
  readonly requests: readonly { readonly method: string; readonly path: string; readonly body?: unknown }[];
  readonly notExpressed: readonly { readonly field: readonly string[]; readonly message: string }[];
}

function formatRest({ requests, notExpressed }: RestTranslation): string {
  const lines = [
    ...requests.map(
      ({ method, path, body }) => `${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`,
    ),
    ...notExpressed.map(({ field, message }) => `not ${field.join('.')}: ${message}`),
  ];
  return lines.length === 0 ? '' : `In REST:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function format({ cost, scopes, maxRecords, rateLimit, refusals, translation }: Preflight): string {
  const missing = scopes.missing.length > 0 ? ` (missing: ${scopes.missing.join(', ')})` : '';
  return [
    `Cost: ${quantity(cost, 'point')}\n`,
    `Scopes: ${scopes.needed.join(', ') || 'none'}${missing}\n`,
    `Records: ${maxRecords === null ? 'not known beforehand' : `at most ${maxRecords}`}\n`,
    `Rate limit: ${rateLimit.remaining} of ${rateLimit.limit} points left\n`,
    ...refusals.map(
      ({ code, message, path }) => `Refused${path ? ` at ${path.join('.')}` : ''}: ${code}: ${message}\n`,
    ),
    translation,
  ].join('');
}
