import { getNamedType, getNullableType, isEnumType, isListType, isNonNullType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../../src/graphql/schema/schema.ts';

describe('the payloads in the schema', () => {
  const payloads = Object.values(schema.getMutationType()?.getFields() ?? {}).map(({ type }) => getNamedType(type));

  it('have userErrors, and fields that can be null or empty for all results', () => {
    for (const payload of payloads) {
      if (!isObjectType(payload)) throw new Error(`${payload} is no object type`);
      const { userErrors, ...others } = payload.getFields();
      expect([payload.name, String(userErrors?.type)]).toEqual([payload.name, '[UserError!]!']);
      const types = Object.values(others).map(({ type }) => type);
      const required = types.filter((type) => isNonNullType(type) && !isListType(type.ofType));
      for (const type of required) expect(types.map(String)).toContain(String(getNullableType(type)));
    }
  });

  it('have the codes of the errors that the audit log records, and invalid_request', () => {
    const type = schema.getType('UserErrorCode');
    if (!isEnumType(type)) throw new Error('no enum');
    expect(type.getValues().map(({ name }) => name)).toEqual([
      'email_in_use',
      'form_closed',
      'invalid_request',
      'member_exists',
      'not_found',
      'org_limit_reached',
      'precondition_failed',
    ]);
  });
});
