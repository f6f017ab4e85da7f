import fc from 'fast-check';
import { Kind, parse, print, visit } from 'graphql';
import { expect, it } from 'vitest';
import { createApiKey } from '../../../src/domain/admin/api-key.ts';
import { ALL_SCOPES } from '../../../src/domain/core/scopes.ts';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { type GraphQLClient, graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';
import { type GeneratedRequest, generatedRequests } from '../reference/documents.ts';
import { referenceRecords } from '../reference/records.ts';

const KEYS = 5;
const REQUESTS_PER_KEY = 10;

onOneStore((service) => {
  it('explains generated operations as they are executed', { timeout: 120_000 }, async () => {
    const { id } = await service.organization();
    const values = await referenceRecords(service, id);
    const seed = Math.trunc(Math.random() * 2 ** 31);
    const sampled = { numRuns: KEYS * REQUESTS_PER_KEY, seed };
    const requests = fc.sample(generatedRequests(schema, values), sampled).map(([first]) => first as GeneratedRequest);
    const scopes = fc.sample(fc.subarray([...ALL_SCOPES], { minLength: 1 }), { numRuns: KEYS, seed });
    for (const granted of scopes) {
      const input = { organization_id: id, name: 'Explain', scopes: granted, expires_in_days: null };
      const { key } = await createApiKey(service.store, input, 'test');
      const ask = graphql(service.app, key);
      for (const request of requests.splice(0, REQUESTS_PER_KEY)) {
        const difference = await differenceOf(ask, request);
        expect(difference, `seed ${seed}, scopes ${granted}: ${JSON.stringify(request)}`).toBeUndefined();
      }
    }
  });
});

/** How the execution of an operation differs from what `Explain: true` said; undefined if it does not. */
async function differenceOf(ask: GraphQLClient, request: GeneratedRequest): Promise<string | undefined> {
  const explained = await ask.post(request, { Explain: 'true' });
  const executed = await ask.post(request);
  const { errors = [], data, extensions } = executed.json;
  if (!explained.json.extensions.explain) {
    const areEqual = JSON.stringify(explained.json.errors) === JSON.stringify(errors);
    return areEqual ? undefined : `the errors ${explained.text} are not ${executed.text}`;
  }
  const { cost, scopes, maxRecords } = explained.json.extensions.explain;
  if (cost !== extensions.rateLimit.cost) return `it costs ${extensions.rateLimit.cost}, not ${cost}`;
  const lacking = errors.flatMap(({ message }: Error) => /needs the scope ([\w.]+)/.exec(message)?.[1] ?? []);
  const unexplained = lacking.filter((scope: string) => !scopes.missing.includes(scope));
  if (unexplained.length > 0) return `it also lacks ${unexplained}`;
  // A mutation may have changed the records; it is not executed a second time.
  if (maxRecords === null || data === undefined || request.query.includes('mutation')) return undefined;
  const records = countRecords((await ask.post(withTypes(request))).json.data);
  return records <= maxRecords ? undefined : `it returns ${records} records, more than ${maxRecords}`;
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
