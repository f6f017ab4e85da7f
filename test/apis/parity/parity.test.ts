import { expect, it } from 'vitest';
import { onOneStore } from '../../support/service.ts';
import { OPERATIONS, type Outcome, throughGraphQL, throughRest } from './both-apis.ts';
import type { ParityCase } from './parity-case.ts';
import { CASES } from './parity-cases.ts';
import { comparable, rowsOf, sharedWorlds, twoWorlds, type World } from './worlds.ts';

onOneStore((service) => {
  it.each(CASES.map((one) => [one.operation, one.name, one.code ?? 'success', one] as const))(
    'returns the same result from both APIs for %s %s: %s',
    async (_operation, _name, _code, one) => {
      const isRead = one.operation.startsWith('GET');
      const isRefused = one.code !== undefined;
      const shared = isRead || isRefused ? await sharedWorlds(service, one.scopes) : undefined;
      const [rest, graphql] = shared?.worlds ?? (await twoWorlds(service, one.scopes));
      const given = (await one.given?.(service)) ?? '';
      const answers = {
        rest: await throughRest(rest, one.operation, one.input(rest, given)),
        graphql: await throughGraphQL(graphql, one.operation, one.input(graphql, given)),
      };
      expect(shown(graphql, answers.graphql, one)).toEqual(shown(rest, answers.rest, one));
      expect(answers.rest.code).toBe(one.code);
      expect([answers.rest.charge, answers.graphql.charge]).toEqual([1, OPERATIONS[one.operation]?.cost]);
      if (isRead) return;
      const after = await Promise.all([rest, graphql].map((world) => rowsOf(service, world)));
      expect(after[1]).toEqual(after[0]);
      if (shared) expect(after).toEqual(shared.rows);
    },
  );
});

/**
 * The parts that must be equal. For invalid fields these are their names: the APIs describe expected types differently.
 */
function shown(world: World, { body, code, message, details }: Outcome, one: ParityCase): unknown {
  if (one.typed) return { body, code };
  const fields = details?.map(({ field }) => field);
  // Each API names what needs the scope in its own words.
  const isWordedDifferently = fields || code === 'missing_scope' || isOfForm(one);
  return comparable(world, { body, code, fields, message: isWordedDifferently ? undefined : message });
}

/** GraphQL reads the responses of a form through `node`, whose error does not name the kind of an unknown record. */
function isOfForm({ operation, code }: ParityCase): boolean {
  return OPERATIONS[operation]?.field === 'Form.responses' && code === 'not_found';
}
