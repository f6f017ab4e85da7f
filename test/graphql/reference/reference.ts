import { type ExecutionResult, execute, parse } from 'graphql';
import { Abort, type Caller, type Context } from '../../../src/domain/context.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import { ALL_SCOPES, type Scope } from '../../../src/domain/scopes.ts';
import { createLoaders } from '../../../src/graphql/data/loaders.ts';
import { stringify } from '../../../src/graphql/execution/raw-json.ts';
import { formatErrors } from '../../../src/graphql/http/errors.ts';
import { createPipeline } from '../../../src/graphql/http/pipeline.ts';
import { schema } from '../../../src/graphql/schema/schema.ts';
import type { Database } from '../../../src/store/database.ts';
import type { Store } from '../../../src/store/store.ts';
import type { GeneratedRequest } from './documents.ts';

/** Under which conditions requests are executed. */
export interface Conditions {
  readonly scopes: readonly Scope[];
  /** Statements whose text contains this fail. */
  readonly failing: string | undefined;
}

/** Everything is allowed, and the store works. */
export const NO_FAULTS: Conditions = { scopes: ALL_SCOPES, failing: undefined };

/** An answer in a form that can be compared: the text of its data, which has the order of keys, and its errors. */
export interface ComparableAnswer {
  readonly data: string | undefined;
  /** Path, code and message of each, sorted: the order in which fields fail is not specified. */
  readonly errors: readonly string[];
}

/** Executes requests of one organization by the service's pipeline and by graphql-js, over the same resolvers. */
export function referenceOn(
  store: Pick<Store, 'db' | 'prisma' | 'cursorSecret'>,
  organizationId: string,
  keyId: string,
) {
  const pipeline = createPipeline();
  const db = remembering(store.db);

  const contextFor = ({ scopes, failing }: Conditions) => {
    const caller: Caller = {
      keyId,
      keyName: 'Reference',
      scopes: new Set(scopes),
      expiresAt: null,
      organization: { id: organizationId, name: 'Reference', country: 'US' },
    };
    const domain: Context = {
      origin: { door: 'graphql', requestId: 'reference' },
      caller,
      confirmed: Promise.resolve(caller),
      db: failing === undefined ? db : failingAt(db, failing),
      cursorSecret: store.cursorSecret,
    };
    return {
      domain,
      prisma: store.prisma,
      rateLimit: 120,
      loaders: createLoaders(domain),
      writes: 0,
      abort: new Abort(),
    };
  };

  return {
    /** @returns undefined for a request that is refused because of its size. */
    async byService(request: GeneratedRequest, conditions: Conditions): Promise<ComparableAnswer | undefined> {
      try {
        return comparable(await pipeline.run('POST', request, contextFor(conditions), async () => {}));
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'query_too_complex') return undefined;
        throw error;
      }
    },
    async byGraphQLJs(request: GeneratedRequest, conditions: Conditions): Promise<ComparableAnswer> {
      const { query, operationName, variables } = request;
      return comparable(
        await execute({
          schema,
          document: parse(query),
          operationName,
          variableValues: variables,
          contextValue: contextFor(conditions),
        }),
      );
    },
  };
}

function comparable({ data, errors = [] }: ExecutionResult): ComparableAnswer {
  const kept = errors.filter(({ path = [] }) => !isBelowNull(data, path.slice(0, -1)));
  const presented = kept.map((error) => formatErrors([error], 0, () => {}).errors[0]);
  return {
    data: data === undefined ? undefined : stringify({ data }),
    errors: presented.map((error) => JSON.stringify([error?.path, error?.extensions?.code, error?.message])).sort(),
  };
}

/**
 * Whether a path leads below a field that became null. Such errors are of fields whose parent was given up because of
 * another field: they are listed or not, depending on which failed first.
 */
function isBelowNull(data: unknown, path: readonly (string | number)[]): boolean {
  let value = data;
  for (const key of path) {
    if (value === null || typeof value !== 'object') return value === null;
    value = (value as Record<string | number, unknown>)[key];
    // Raw JSON has no fields to look into; nothing in it is null that contains others but nested lists.
    if (value === undefined) return false;
  }
  return value === null;
}

/** Reads of the same rows are answered from memory: documents repeat them by the thousand, and nothing changes them. */
function remembering(db: Database): Database {
  const known = new Map<string, Promise<unknown[]>>();
  const remember =
    (read: Database['rows']) =>
    <Row>(statement: Parameters<Database['rows']>[0]): Promise<Row[]> => {
      const key = JSON.stringify([statement.text, statement.values]);
      const rows = known.get(key) ?? read(statement);
      if (known.size < 20_000) known.set(key, rows);
      return rows as Promise<Row[]>;
    };
  return { ...db, rows: remember(db.rows), rowsAlone: remember(db.rowsAlone) };
}

function failingAt(db: Database, text: string): Database {
  const check =
    (read: Database['rows']) =>
    async <Row>(statement: Parameters<Database['rows']>[0]): Promise<Row[]> => {
      if (statement.text.includes(text)) throw new TypeError('a fault of the store');
      return read<Row>(statement);
    };
  return { ...db, rows: check(db.rows), rowsAlone: check(db.rowsAlone) };
}
