import { expect, it } from 'vitest';
import { onOneStore } from '../../support/service.ts';
import { comparable, equalFixtures, type Fixture, rowsOf, sharedFixtures } from './fixtures.ts';
import { callGraphQL, callRest, OPERATIONS, type Outcome } from './operations.ts';
import type { TestCase } from './test-case.ts';
import { CASES } from './test-cases.ts';

onOneStore((service) => {
  it.each(CASES.map((one) => [one.operation, one.name, one.code ?? 'success', one] as const))(
    'returns the same result from both APIs for %s %s: %s',
    async (_operation, _name, _code, one) => {
      const isRead = one.operation.startsWith('GET');
      const isRefused = one.code !== undefined;
      const shared = isRead || isRefused ? await sharedFixtures(service, one.scopes) : undefined;
      const [rest, graphql] = shared?.fixtures ?? (await equalFixtures(service, one.scopes));
      const given = (await one.given?.(service)) ?? '';
      const answers = {
        rest: await callRest(rest, one.operation, one.input(rest, given)),
        graphql: await callGraphQL(graphql, one.operation, one.input(graphql, given)),
      };
      expect(shown(graphql, answers.graphql, one)).toEqual(shown(rest, answers.rest, one));
      expect(answers.rest.code).toBe(one.code);
      expect([answers.rest.charge, answers.graphql.charge]).toEqual([1, OPERATIONS[one.operation]?.cost]);
      if (isRead) return;
      const after = await Promise.all([rest, graphql].map((fixture) => rowsOf(service, fixture)));
      expect(after[1]).toEqual(after[0]);
      if (shared) expect(after).toEqual(shared.rows);
    },
  );
});

/**
 * The parts that must be equal. For invalid fields these are their names: the APIs describe expected types differently.
 */
function shown(fixture: Fixture, { body, code, message, details }: Outcome, one: TestCase): unknown {
  if (one.typed) return { body, code };
  const fields = details?.map(({ field }) => field);
  // Each API names what needs the scope in its own words.
  const isWordedDifferently = fields || code === 'missing_scope' || isOfForm(one);
  return comparable(fixture, { body, code, fields, message: isWordedDifferently ? undefined : message });
}

/** GraphQL reads the responses of a form through `node`, whose error does not name the kind of an unknown record. */
function isOfForm({ operation, code }: TestCase): boolean {
  return OPERATIONS[operation]?.field === 'Form.responses' && code === 'not_found';
}
