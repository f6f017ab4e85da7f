import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { z } from 'zod';
import { type ErrorCode, invalidRequest, ServiceError } from '../../domain/core/errors.ts';
import { quantity } from '../../domain/values/words.ts';
import { type Cli, printResult } from '../cli.ts';
import { printable } from '../output/output.ts';
import { parseServiceUrl, RESPONSE_TIMEOUT_MS, sendRequest } from '../service-request.ts';

interface ExplainOptions {
  readonly url: string;
  readonly variables?: string;
  readonly operation?: string;
}

interface Extensions {
  readonly explain: {
    readonly cost: number;
    readonly scopes: { readonly needed: readonly string[]; readonly missing: readonly string[] };
    readonly records: string;
    readonly rest: {
      readonly requests: readonly { readonly method: string; readonly path: string; readonly body?: unknown }[];
      readonly notExpressed: readonly { readonly field: readonly string[]; readonly message: string }[];
    };
  };
  /** The rate limit of the key, in points per minute. */
  readonly rateLimit: { readonly limit: number; readonly remaining: number };
}

const PORT = '4000';

/** Adds `explain`. */
export function addExplainCommand(program: Command, cli: Cli): void {
  const port = cli.environment.PORT || PORT;
  program
    .command('explain')
    .description('show the cost, the scopes and the REST requests of a GraphQL operation, without running it')
    .argument('<file>', 'a file with a GraphQL operation, or - for standard input')
    .option('--url <url>', 'the address of the service', `http://127.0.0.1:${port}`)
    .option('--variables <json>', 'the variables of the operation')
    .option('--operation <name>', 'the name of the operation, if there are several')
    .addHelpText(
      'after',
      '\nThe environment variable CMS_API_KEY must be an API key, which is charged one point. The exit code is 1 if the' +
        `\noperation is invalid or the key lacks a scope. The service must respond within ${RESPONSE_TIMEOUT_MS / 1_000} seconds.` +
        '\n\nExample:\n  $ CMS_API_KEY=cms_… ./cms explain docs/cookbook/directory.graphql',
    )
    .action((file: string, options: ExplainOptions) => showExplanation(cli, file, options));
}

async function showExplanation(cli: Cli, file: string, options: ExplainOptions): Promise<void> {
  const key = cli.environment.CMS_API_KEY?.trim() ?? '';
  // Other characters cannot be sent in a header, and the error would contain the key.
  if (!/^[!-~]+$/.test(key)) throw invalidRequest({ field: 'CMS_API_KEY', message: 'must be set to an API key' });
  const variables = options.variables === undefined ? undefined : parseVariables(options.variables);
  const query = file === '-' ? await text(process.stdin) : await readOperation(file);
  const request = new Request(`${parseServiceUrl(options.url)}/graphql`, {
    method: 'POST',
    headers: { 'X-Api-Key': key, Explain: 'true', 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables, operationName: options.operation }),
    // A redirect could lead to another host with the API key.
    redirect: 'manual',
  });
  const { response, json } = await sendRequest(request);
  const location = response.status < 400 ? response.headers.get('Location') : null;
  if (location !== null) throw invalidRequest({ field: '--url', message: `redirects to ${location}` });
  const extensions: Extensions | undefined = json?.extensions;
  if (!extensions?.explain) throw errorOf(json?.errors?.[0], response.status);
  if (extensions.explain.scopes.missing.length > 0) cli.setExitCode(1);
  await printResult(cli, { ...json }, () => format(extensions));
}

/** The error of an operation that the service rejects, or of a response that is not one of the service. */
function errorOf(
  error: { readonly message: string; readonly extensions?: { readonly code?: string } } | undefined,
  status: number,
): ServiceError {
  const code = error?.extensions?.code;
  if (error && code) return new ServiceError(code as ErrorCode, error.message);
  return new ServiceError('invalid_request', `the service responded with status ${status}`);
}

async function readOperation(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw invalidRequest({ field: 'file', message: `must be a file or - (${(error as Error).message})` });
  }
}

function parseVariables(text: string): unknown {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    throw invalidRequest({ field: '--variables', message: 'must be a JSON object' });
  }
}

function format({ explain: { cost, scopes, records, rest }, rateLimit }: Extensions): string {
  const missing = scopes.missing.length > 0 ? ` (missing: ${scopes.missing.join(', ')})` : '';
  const requests = rest.requests.map(({ method, path, body }) => {
    return `  ${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`;
  });
  const notExpressed = rest.notExpressed.map(({ field, message }) => `  not ${field.join('.')}: ${message}`);
  const lines = [
    `Cost: ${quantity(cost, 'point')}`,
    `Scopes: ${scopes.needed.join(', ') || 'none'}${missing}`,
    `Records: ${records}`,
    `Rate limit: ${rateLimit.remaining} of ${rateLimit.limit} points left`,
    ...(requests.length + notExpressed.length > 0 ? ['In REST:'] : []),
    ...requests,
    ...notExpressed,
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}
