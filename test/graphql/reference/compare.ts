import fc from 'fast-check';
import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { ALL_SCOPES } from '../../../src/domain/core/scopes.ts';
import type { Store } from '../../../src/store/store.ts';
import type { TestService } from '../../support/service.ts';
import { type GeneratedRequest, generatedRequests } from './documents.ts';
import { referenceActivity, referenceRecords } from './records.ts';
import { createReference, NO_ERRORS, type Scenario, schema } from './reference.ts';

/** Options of {@link compareRequests}. */
interface ComparisonOptions {
  readonly service: Pick<TestService, 'store'>;
  /** An organization without records. */
  readonly organizationId: string;
  readonly documents: number;
  readonly seed: number;
  /** Maximum time for finding and shrinking a difference. */
  readonly timeLimitMs: number;
  readonly onProgress?: (documents: number) => void;
}

/** The result of a comparison. */
export interface Comparison {
  readonly documents: number;
  readonly seed: number;
  /** The smallest request found with different results, and both results; undefined if there is none. */
  readonly difference: string | undefined;
}

/** Missing scopes and failing statements; most requests are executed with neither. */
const scenarios: fc.Arbitrary<Scenario> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(NO_ERRORS) },
  {
    weight: 2,
    arbitrary: fc.subarray(ALL_SCOPES).map((scopes) => ({ scopes, failing: undefined })),
  },
  {
    weight: 1,
    arbitrary: fc.subarray(ALL_SCOPES, { maxLength: 3 }).map((scopes) => ({ scopes, failing: undefined })),
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

/** Compares the results of the service with those of graphql-js for generated documents. */
export async function compareRequests(options: ComparisonOptions): Promise<Comparison> {
  const { service, organizationId, documents, seed, timeLimitMs, onProgress } = options;
  const values = await referenceRecords(service, organizationId);
  const key = await createApiKey(
    service.store as Store,
    { organization_id: organizationId, name: 'Reference', scopes: ALL_SCOPES, expires_in_days: null },
    'test',
  );
  await referenceActivity(service, organizationId, key.id);
  const reference = createReference(service.store, organizationId, key.id);
  let compared = 0;
  const differenceOf = async (request: GeneratedRequest, scenario: Scenario): Promise<string | undefined> => {
    const actual = await reference.byService(request, scenario);
    fc.pre(actual !== undefined);
    const expected = await reference.byGraphQLJs(request, scenario);
    // Both would have the same faults of the service, or of this comparison.
    const hasFault =
      scenario.failing === undefined && expected.errors.some((error) => error.includes('internal_error'));
    if (!hasFault && JSON.stringify(actual) === JSON.stringify(expected)) return undefined;
    return `${request.query}\n${request.operationName} ${JSON.stringify(request.variables)} ${JSON.stringify(scenario)}\nservice:    ${JSON.stringify(actual)}\ngraphql-js: ${JSON.stringify(expected)}`;
  };
  const run = await fc.check(
    fc.asyncProperty(generatedRequests(schema, values), scenarios, async (requests, scenario) => {
      for (const request of requests) {
        // With graphql-js, Pothos evaluates `@skip(if: null)` in the resolver of `viewer` instead of at its own path.
        fc.pre(request.variables.c !== null || !request.query.includes('viewer'));
        const difference = await differenceOf(request, scenario);
        if (difference) throw new Error(difference);
      }
      compared += 1;
      onProgress?.(compared);
    }),
    { numRuns: documents, seed, interruptAfterTimeLimit: timeLimitMs, endOnFailure: true },
  );
  const difference = run.failed ? ((run.errorInstance as Error | undefined)?.message ?? 'interrupted') : undefined;
  return { documents: compared, seed, difference };
}
