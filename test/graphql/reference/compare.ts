import fc from 'fast-check';
import { createApiKey } from '../../../src/domain/api-key.ts';
import { ALL_SCOPES } from '../../../src/domain/scopes.ts';
import { schema } from '../../../src/graphql/schema/schema.ts';
import type { Store } from '../../../src/store/store.ts';
import type { TestService } from '../../support/service.ts';
import { type GeneratedRequest, generatedRequests } from './documents.ts';
import { referenceRecords } from './records.ts';
import { type Conditions, NO_FAULTS, referenceOn } from './reference.ts';

interface ComparisonOptions {
  readonly service: Pick<TestService, 'store'>;
  /** An organization without records. */
  readonly organizationId: string;
  readonly documents: number;
  readonly seed: number;
  /** Within which a difference is found and made smaller. */
  readonly timeLimitMs: number;
  readonly onProgress?: (documents: number) => void;
}

/** What came of a comparison. */
export interface Comparison {
  readonly documents: number;
  readonly seed: number;
  /** The smallest document found that is answered otherwise, and both answers; undefined where there is none. */
  readonly difference: string | undefined;
}

/** Missing scopes and failing reads; most documents are executed without any. */
const conditions: fc.Arbitrary<Conditions> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(NO_FAULTS) },
  {
    weight: 2,
    arbitrary: fc.subarray(ALL_SCOPES).map((scopes) => ({ scopes, failing: undefined })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        'JOIN member_tag',
        'JOIN department_member',
        'parent.key',
        'SELECT EXISTS',
        'ff.id = ANY',
        'FROM tag t',
        'FROM event e',
      )
      .map((failing) => ({ scopes: ALL_SCOPES, failing })),
  },
);

/** Compares the service with graphql-js on generated documents. */
export async function compareRequests(options: ComparisonOptions): Promise<Comparison> {
  const { service, organizationId, documents, seed, timeLimitMs, onProgress } = options;
  const values = await referenceRecords(service, organizationId);
  const key = await createApiKey(
    service.store as Store,
    { organization_id: organizationId, name: 'Reference', scopes: ALL_SCOPES, expires_in_days: null },
    'test',
  );
  const reference = referenceOn(service.store, organizationId, key.id);
  let compared = 0;
  const differenceOf = async (request: GeneratedRequest, under: Conditions): Promise<string | undefined> => {
    const actual = await reference.byService(request, under);
    fc.pre(actual !== undefined);
    const expected = await reference.byGraphQLJs(request, under);
    if (JSON.stringify(actual) === JSON.stringify(expected)) return undefined;
    return `${request.query}\n${request.operationName} ${JSON.stringify(request.variables)} ${JSON.stringify(under)}\nservice:    ${JSON.stringify(actual)}\ngraphql-js: ${JSON.stringify(expected)}`;
  };
  const run = await fc.check(
    fc.asyncProperty(generatedRequests(schema, values), conditions, async (requests, under) => {
      for (const request of requests) {
        // Under graphql-js Pothos reads a null condition in the resolver of `viewer`, and not where it stands.
        fc.pre(request.variables.c !== null || !request.query.includes('viewer'));
        const difference = await differenceOf(request, under);
        if (difference) throw new Error(difference);
      }
      compared += 1;
      onProgress?.(compared);
    }),
    { numRuns: documents, seed, interruptAfterTimeLimit: timeLimitMs },
  );
  const difference = run.failed ? ((run.errorInstance as Error | undefined)?.message ?? 'interrupted') : undefined;
  return { documents: compared, seed, difference };
}
