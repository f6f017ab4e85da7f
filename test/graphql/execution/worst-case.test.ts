import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DOCUMENT_LIMITS } from '../../../src/graphql/document/parse.ts';
import { sql } from '../../../src/store/sql.ts';
import { times } from '../../support/data.ts';
import { WORST_DOCUMENTS } from '../../support/documents/worst-documents.ts';
import { type GraphQLClient, graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { onOneStore, type TestService } from '../../support/service.ts';
import { type CountingApp, countingApp } from '../counting.ts';

/** Ten times as many records as the demo organization has. */
const SIZE = {
  members: 2_000,
  departments: 120,
  membersOfDepartment: 50,
  tags: 150,
  membersOfTag: 60,
  forms: 50,
  responses: 40,
};

/** The key check, and one statement for each list: a document has at most as many lists as aliases. */
const MAX_STATEMENTS = 1 + DOCUMENT_LIMITS.aliases;

/** Time limits of operations, validations and connections are at least this long. */
const MIN_TIME_LIMIT_MS = 5_000;

/** Disables time limits, so that the results do not depend on the speed of the machine. */
function withoutTimeLimits(): void {
  const { setTimeout } = globalThis;
  const start = (run: () => void, ms = 0, ...values: []) =>
    setTimeout(run, ms < MIN_TIME_LIMIT_MS ? ms : 2 ** 31 - 1, ...values);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(start as typeof setTimeout);
}

onOneStore((service) => {
  beforeEach(withoutTimeLimits);
  afterEach(() => void vi.restoreAllMocks());

  let during: CountingApp['during'];
  let ask: GraphQLClient;
  beforeAll(async () => {
    const counting = countingApp(service);
    during = counting.during;
    const { id, key } = await service.organization();
    await tenTimesTheDemo(service, id);
    ask = graphql(counting.app, key);
    await ask('{ departments { edges { node { members { edges { node { id } } } } } } }');
  });

  describe('with ten times the records of the demo', () => {
    it.each(Object.entries(WORST_DOCUMENTS))(
      'executes or rejects %s, with a bounded number of statements',
      async (_, query) => {
        const { result, statements } = await during(() => ask(query));
        const codes = result.json.errors?.map(({ extensions }: { extensions: { code: string } }) => extensions.code);
        expect([
          [200, undefined],
          [400, ['query_too_complex']],
        ]).toContainEqual([result.status, codes]);
        expect(statements.length).toBeLessThanOrEqual(MAX_STATEMENTS);
      },
    );
  });
});

async function tenTimesTheDemo(service: TestService, organizationId: string): Promise<void> {
  const many = manyOf(service, organizationId);
  const members = await many.members(SIZE.members);
  const some = (n: number, count: number) => times(count, (i) => members[(n * 37 + i * 13) % SIZE.members] as string);
  await many.departments(SIZE.departments, (n) => some(n, SIZE.membersOfDepartment));
  await many.tags(SIZE.tags, (n) => some(n, SIZE.membersOfTag));
  await many.forms(SIZE.forms, SIZE.responses);
  // As after an import: with outdated statistics, PostgreSQL may read all links of the organization for each department.
  await service.store.db.rows(sql`ANALYZE member, department, department_member, member_tag, tag`);
}
