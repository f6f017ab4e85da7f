import { Kind, parse, print, visit } from 'graphql';
import { schema } from '../../../src/graphql/schema/schema.ts';
import type { GeneratedRequest } from '../../graphql/reference/documents.ts';
import type { Answer, TestClient } from '../../support/client.ts';
import type { GraphQLClient } from '../../support/graphql.ts';

/** A REST request. */
export interface RestRequest {
  readonly method: string;
  readonly path: string;
  /** Undefined if it has none. */
  readonly body: unknown;
}

/** The difference between a request and its preflight, if any. */
interface Compared {
  readonly difference?: string;
  readonly isRefused: boolean;
}

const PREFLIGHT = { Preflight: 'true' };

/** Errors that depend on records, so that a preflight cannot predict them. */
const OF_RECORDS = ['not_found', 'member_exists', 'email_in_use', 'form_closed', 'org_limit_reached'];

/** Sends a preflight and then its request to the REST API. */
export async function differenceInRest(rest: TestClient, { method, path, body }: RestRequest): Promise<Compared> {
  const init =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  const before = await rest.get('/nothing');
  const foreseen = await rest.request(method, path, { ...init, headers: { ...init.headers, ...PREFLIGHT } });
  const answer = await rest.request(method, path, init);
  if (foreseen.status !== 200) return { difference: `the preflight: ${foreseen.text}`, isRefused: true };
  const { cost, refusal, scopes, max_records: max } = foreseen.json.preflight;
  const { error = null, data } = answer.json;
  const isForeseen = same(refusal, error) || (refusal === null && OF_RECORDS.includes(error?.code));
  const records = data === undefined ? 0 : [data].flat().length;
  const differences = [
    cost === spent(before, answer) ? [] : [`costs ${spent(before, answer)}`],
    isForeseen ? [] : [`is answered with ${answer.text}`],
    scopes.missing.length > 0 === (error?.code === 'missing_scope') ? [] : ['has other missing scopes'],
    max === null || records <= max ? [] : [`returns ${records} records`],
  ].flat();
  return describe(differences, foreseen, refusal !== null);
}

/** Sends a preflight and then its operation to the GraphQL API. */
export async function differenceInGraphQL(ask: GraphQLClient, request: GeneratedRequest): Promise<Compared> {
  const foreseen = await ask.post(request, PREFLIGHT);
  const answer = await ask.post(request);
  if (foreseen.status !== 200) return { difference: `the preflight: ${foreseen.text}`, isRefused: true };
  const { cost, refusals, scopes, maxRecords } = foreseen.json.extensions.preflight;
  const { errors = [], data, extensions } = answer.json;
  const actual: string[] = errors.map(comparable);
  const expected: string[] = refusals.map(comparable);
  const charged = extensions?.rateLimit.cost;
  const lacking = errors.flatMap(({ message }: Error) => /lacks the scope (\S+)/.exec(message)?.[1] ?? []);
  const records = maxRecords === null ? 0 : countRecords((await ask.post(withTypes(request))).json.data);
  const differences = [
    cost === charged ? [] : [`costs ${charged}`],
    expected
      .filter((one, n) => !actual.includes(one) && isCertain(one, refusals[n].path, data, actual))
      .map((one) => `does not have the error ${one}`),
    actual
      .filter((one) => !expected.includes(one) && !OF_RECORDS.some((code) => one.startsWith(`"${code}"`)))
      .filter((one) => !isOfUserErrors(one))
      .map((one) => `has the error ${one}`),
    lacking.every((scope: string) => scopes.missing.includes(scope)) ? [] : [`lacks ${lacking}`],
    scopes.missing.every((scope: string) => scopes.needed.includes(scope))
      ? []
      : ['lacks scopes that it does not need'],
    maxRecords === null || records <= maxRecords ? [] : [`returns ${records} records`],
  ].flat();
  return describe(differences, foreseen, expected.length > 0);
}

function describe(differences: readonly string[], foreseen: Answer, isRefused: boolean): Compared {
  if (differences.length === 0) return { isRefused };
  return { difference: `the request ${differences.join(', ')}; its preflight: ${foreseen.text}`, isRefused };
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The points charged for a request. The keys here have a limit that is never reached. */
function spent(before: Answer, after: Answer): number {
  const remaining = ({ headers }: Answer) => Number(headers.get('X-RateLimit-Remaining'));
  return remaining(before) - remaining(after);
}

/** Whether a predicted error must occur, which requires a record above it. */
function isCertain(error: string, path: readonly string[] = [], data: unknown, actual: readonly string[]): boolean {
  // A department may have no head; an error of a directive needs a record.
  if (/^headOf/.test(path.at(-1) ?? '') || error.endsWith('["if"]')) return false;
  // The records of the changes may all have other types than the selection with the error.
  if (path.some((key) => /^record(_|$)/.test(key))) return false;
  if (path.length === 1 && listsUserErrors(Object(data)[path[0] as string])) return false;
  if (path.length === 1 && actual.some((one) => isOfUserErrors(one) && one.includes(`["${path[0]}",`))) return false;
  return data == null || isReached(data, path.slice(0, -1));
}

/** Whether an error is that of a directive in a selection of `userErrors`, which needs an item: a refused mutation. */
function isOfUserErrors(error: string): boolean {
  return /,"userErrors\w*"\] /.test(error) && error.endsWith('["if"]');
}

/** Whether a payload lists errors; then all of its other fields are null or empty. */
function listsUserErrors(payload: object | null | undefined): boolean {
  return Object.values(payload ?? {}).some((value) => Array.isArray(value) && value.length > 0);
}

/** Whether the data has an object at a path, in any item of the lists along the way. */
function isReached(data: unknown, path: readonly string[]): boolean {
  if (Array.isArray(data)) return data.some((item) => isReached(item, path));
  if (typeof data !== 'object' || data === null) return false;
  const [key, ...rest] = path;
  return key === undefined || isReached((data as Record<string, unknown>)[key], rest);
}

/** Code, path and invalid fields of an error, without list indexes. */
function comparable({
  path = [],
  extensions,
}: {
  path?: (string | number)[];
  extensions: { code: string; details?: { field: string }[] };
}): string {
  const keys = path.filter((key) => typeof key === 'string');
  return [extensions.code, keys, (extensions.details ?? []).map(({ field }) => field)]
    .map((part) => JSON.stringify(part))
    .join(' ');
}

const TYPE = 'typeOfThis';

/** The same request, selecting the type of each object in its response. */
function withTypes(request: GeneratedRequest): GeneratedRequest {
  const typename = parse(`{ ${TYPE}: __typename }`).definitions[0];
  const [field] = typename?.kind === Kind.OPERATION_DEFINITION ? typename.selectionSet.selections : [];
  const document = visit(parse(request.query), {
    SelectionSet: (node) => ({ ...node, selections: field ? [...node.selections, field] : node.selections }),
  });
  return { ...request, query: print(document) };
}

/** The number of records in the data of a request {@link withTypes}: objects of a type with a page in the schema. */
function countRecords(data: unknown): number {
  if (Array.isArray(data)) return data.reduce<number>((count, item) => count + countRecords(item), 0);
  if (typeof data !== 'object' || data === null) return 0;
  const type = (data as Record<string, unknown>)[TYPE];
  const own = typeof type === 'string' && schema.getType(`${type}Connection`) ? 1 : 0;
  return Object.values(data).reduce<number>((count, value) => count + countRecords(value), own);
}
