import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { person } from '../../support/data.ts';
import { graphql } from '../../support/graphql.ts';
import { onOneDatabase } from '../../support/service.ts';

const CREATE_TWO = `mutation($a: CreateMemberInput!, $b: CreateMemberInput!) {
  a: createMember(input: $a) { member { id } } b: createMember(input: $b) { member { id } } }`;

const memberInput = () => ({ firstName: 'A', lastName: 'B', emailAddress: person().email_address });

onOneDatabase((service) => {
  it.each([randomUUID(), 'x'.repeat(255)])(
    'distinguishes several mutations of one request with the key %s',
    async (name) => {
      const organization = await service.organization();
      const variables = { a: memberInput(), b: memberInput() };
      const first = await graphql(service.app, organization.key)(CREATE_TWO, variables, { 'Idempotency-Key': name });
      const again = await graphql(service.app, organization.key)(CREATE_TWO, variables, { 'Idempotency-Key': name });
      expect(first.json.data.a.member.id).not.toBe(first.json.data.b.member.id);
      expect(again.json.data).toEqual(first.json.data);
    },
  );

  it.each(['k#1', 'k#0', 'k#1#1'])(
    'the key %s is another key than those of several mutations with the key k',
    async (name) => {
      const organization = await service.organization();
      for (const many of ['k', name]) {
        const { json } = await graphql(service.app, organization.key)(
          CREATE_TWO,
          { a: memberInput(), b: memberInput() },
          { 'Idempotency-Key': many },
        );
        expect(json.errors).toBeUndefined();
      }
      const { status } = await organization.post('/members', person(), { 'Idempotency-Key': `${name}#1` });
      expect(status).toBe(201);
    },
  );
});
