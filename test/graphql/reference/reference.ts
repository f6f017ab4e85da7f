import { type ExecutionResult, execute, parse } from 'graphql';
import type { Caller, Context } from '../../../src/domain/core/context.ts';
import { ServiceError } from '../../../src/domain/core/errors.ts';
import { ALL_SCOPES, type Scope } from '../../../src/domain/core/scopes.ts';
import { createContext } from '../../../src/graphql/data/context.ts';
import { stringify } from '../../../src/graphql/data/response-body.ts';
import { RequestChecker } from '../../../src/graphql/operation/check-request.ts';
import { formatErrors } from '../../../src/graphql/operation/errors.ts';
import { executeOperation } from '../../../src/graphql/operation/execute.ts';
import { schemaWith } from '../../../src/graphql/schema/federation.ts';
import { HeavyOperations } from '../../../src/rate-limit/heavy-operations.ts';
import type { Database } from '../../../src/store/database.ts';
import type { Store } from '../../../src/store/store.ts';
import { faulty } from '../../support/apps.ts';
import type { GeneratedRequest } from './documents.ts';

/** With the fields of a subgraph, so that they are compared too. */
export const schema = schemaWith({ federation: true });

/** The conditions in which a request is executed. */
export interface Scenario {
  /** The scopes of the key. */
  readonly scopes: readonly Scope[];
  /** Statements that contain this text fail; undefined if none fails. */
  readonly failing: string | undefined;
}

/** High, because large operations wait if their organization exceeds its rate. */
const RATE_LIMIT = 1_000_000;

/** The key has all scopes, and no statement fails. */
export const NO_ERRORS: Scenario = { scopes: ALL_SCOPES, failing: undefined };

/** A result in comparable form. The data is JSON, so that the order of keys is compared too. */
export interface ComparableResult {
  readonly data: string | undefined;
  /**
   * Path, code and message of each error, sorted because the order of errors is not specified; the different codes if the
   * request itself is invalid.
   */
  readonly errors: readonly string[];
}

/** Executes requests with the service's pipeline and with graphql-js, using the same resolvers. */
export function createReference(
  store: Pick<Store, 'db' | 'prisma' | 'appSecret'>,
  organizationId: string,
  keyId: string,
) {
  const checker = new RequestChecker({ schema, defaultRateLimit: RATE_LIMIT, heavyOperations: new HeavyOperations() });
  const db = caching(store.db);

  const contextFor = ({ scopes, failing }: Scenario) => {
    const caller: Caller = {
      keyId,
      scopes: new Set(scopes),
      organization: { id: organizationId, country: 'US', timeZone: 'UTC' },
    };
    const domainContext: Context = {
      apiRequest: { api: 'graphql', requestId: 'reference' },
      caller,
      db:
        failing === undefined
          ? db
          : faulty(db, (text) => (text.includes(failing) ? new TypeError('test error') : undefined)),
      appSecret: store.appSecret,
    };
    return createContext(domainContext, { prismaFor: () => store.prisma, rateLimit: RATE_LIMIT });
  };

  return {
    /** @returns undefined for a request that exceeds the limits of an operation. */
    async byService(request: GeneratedRequest, scenario: Scenario): Promise<ComparableResult | undefined> {
      try {
        const context = contextFor(scenario);
        const checked = await checker.check({ ...request, method: 'POST', length: request.query.length }, context);
        if (!('work' in checked)) return comparable({ errors: checked });
        return comparable(await executeOperation(schema, checked.operation, checked.variables, context));
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'query_too_complex') return undefined;
        throw error;
      }
    },
    async byGraphQLJs(request: GeneratedRequest, scenario: Scenario): Promise<ComparableResult> {
      const { query, operationName, variables } = request;
      return comparable(
        await execute({
          schema,
          document: parse(query),
          operationName,
          variableValues: variables,
          contextValue: contextFor(scenario),
        }),
      );
    },
  };
}

function comparable(result: ExecutionResult): ComparableResult {
  const { data, errors = [] } = result;
  const json = data === undefined ? undefined : stringify({ data });
  const response = json === undefined ? undefined : JSON.parse(json).data;
  const reported = errors.filter(({ path = [] }) => !isBelowNull(response, path.slice(0, -1)));
  const formatted = reported.map((error) => formatErrors([error]).errors[0]);
  // The messages about variables are the service's own, and it lists only some of them.
  if (json === undefined)
    return { data: undefined, errors: [...new Set(formatted.map((error) => String(error?.extensions?.code)))] };
  return {
    data: json,
    errors: formatted.map((error) => JSON.stringify([error?.path, error?.extensions?.code, error?.message])).sort(),
  };
}

/**
 * Whether a path leads below a field that became null. The parent of such a field became null because of another field;
 * whether its error is listed depends on which field failed first.
 */
function isBelowNull(data: unknown, path: readonly (string | number)[]): boolean {
  let value = data;
  for (const key of path) {
    if (value === null || typeof value !== 'object') return value === null;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value === null;
}

/** Caches the rows of statements: documents repeat them many times, and tests do not modify the rows. */
function caching(db: Database): Database {
  const cache = new Map<string, Promise<unknown[]>>();
  const cached =
    (read: Database['rows']) =>
    <Row>(statement: Parameters<Database['rows']>[0]): Promise<Row[]> => {
      const key = JSON.stringify([statement.text, statement.values], (_name, value) =>
        typeof value === 'bigint' ? `${value}n` : value,
      );
      const rows = cache.get(key) ?? read<Row>(statement);
      if (cache.size < 20_000) cache.set(key, rows);
      return rows as Promise<Row[]>;
    };
  return { ...db, rows: cached(db.rows), rowsUnprepared: cached(db.rowsUnprepared) };
}
