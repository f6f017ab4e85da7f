import { beforeEach, describe, expect, it } from 'vitest';
import { type GraphQLClient, graphql } from '../../../support/graphql.ts';
import { manyOf } from '../../../support/many.ts';
import { onOneStore, type TestOrganization } from '../../../support/service.ts';

onOneStore((service) => {
  let organization: TestOrganization;
  let ask: GraphQLClient;
  beforeEach(async () => {
    organization = await service.organization();
    ask = graphql(service.app, organization.key);
  });

  describe('variables named like properties of Object.prototype', () => {
    it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('are read: $%s', async (name) => {
      await manyOf(service, organization.id).members(3);
      const query = `query ($${name}: Int = 1) { members(first: $${name}) { edges { cursor } } }`;
      const two = await ask(query, JSON.parse(`{"${name}":2}`));
      expect(two.json.data.members.edges).toHaveLength(2);
      const omitted = await ask(query);
      expect(omitted.json.data.members.edges).toHaveLength(1);
    });

    it.each(['__proto__', 'constructor'])('are used by directives: $%s', async (name) => {
      const query = `query ($${name}: Boolean!) { viewer { keyName scopes @include(if: $${name}) } }`;
      const included = await ask(query, JSON.parse(`{"${name}":true}`));
      expect(included.json.data.viewer).toHaveProperty('scopes');
      const left = await ask(query, JSON.parse(`{"${name}":false}`));
      expect(left.json.data.viewer).not.toHaveProperty('scopes');
    });
  });

  describe('aliases named like properties of Object.prototype', () => {
    it.each(['__proto__', 'constructor', 'toString'])('are keys of the response: %s', async (name) => {
      await manyOf(service, organization.id).members(1);
      const { text } = await ask(
        `{ ${name}: members(first: 1) { ${name}: edges { ${name}: node { ${name}: lastName tags { ${name}: id } } } } }`,
      );
      expect(text).toContain(`{"data":{"${name}":{"${name}":[{"${name}":{"${name}":"Last0"`);
    });
  });
});
