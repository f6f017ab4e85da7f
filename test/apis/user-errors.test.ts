import { getNamedType } from 'graphql';
import { expect, it } from 'vitest';
import { isRecordError } from '../../src/domain/core/errors.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { graphql } from '../support/graphql.ts';
import { onOneStore } from '../support/service.ts';
import { sharedFixtures } from './equivalence/fixtures.ts';
import { callRest, OPERATIONS } from './equivalence/operations.ts';
import { CASES } from './equivalence/test-cases.ts';

/** Writes whose input is valid by GraphQL's types, and which both APIs reject. */
const REFUSED = CASES.filter(
  ({ operation, code, typed }) => code !== undefined && !typed && !operation.startsWith('GET '),
);

/** A document for the operation that selects its user errors. */
function selectingUserErrors(operation: string): string {
  const name = OPERATIONS[operation]?.field.replace('Mutation.', '') ?? '';
  const [input] = schema.getMutationType()?.getFields()[name]?.args ?? [];
  const { name: type } = getNamedType(input?.type) ?? {};
  return `mutation ($input: ${type}!) { payload: ${name}(input: $input) { userErrors { code field message } } }`;
}

onOneStore((service) => {
  it.each(REFUSED.map((one) => [one.operation, one.name, one.code, one] as const))(
    "returns REST's error as userErrors of %s %s: %s",
    async (operation, _name, code, one) => {
      const { fixtures } = await sharedFixtures(service, one.scopes);
      const given = (await one.given?.(service)) ?? '';
      const [first, second] = fixtures;
      const rest = await callRest(first, operation, one.input(first, given));
      const ask = graphql(second.app, second.organization.key);
      const variables = OPERATIONS[operation]?.variables(one.input(second, given));
      const { data, errors } = (await ask(selectingUserErrors(operation), variables)).json;
      if (code !== 'invalid_request' && !isRecordError(code as never)) {
        expect([data.payload, errors[0].extensions.code]).toEqual([null, rest.code]);
        return;
      }
      expect(errors).toBeUndefined();
      const answered = data.payload.userErrors.map((error: { code: string; field: string[]; message: string }) => ({
        code: error.code,
        field: rest.details && error.field.join('.').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        message: withoutIds(error.message),
      }));
      const { details = [{ field: undefined, message: rest.message }] } = rest;
      expect(answered).toEqual(
        details.map(({ field, message }) => ({ code: rest.code, field, message: withoutIds(message) })),
      );
    },
  );
});

/** Removes ids, since the fixtures have different records. */
function withoutIds(message = ''): string {
  return message.replace(/\w{3}_\w{26}/g, 'an id');
}
