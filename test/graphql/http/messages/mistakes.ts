import { describe, expect, it } from 'vitest';
import { graphql } from '../../../support/graphql.ts';
import type { TestService } from '../../../support/service.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Mistakes by kind: a document, its first message, and its variables. */
export type Mistakes = Readonly<
  Record<string, readonly (readonly [document: string, message: string, variables?: Variables])[]>
>;

/** The fields that a new member requires. */
export const PERSON = 'firstName: "A", lastName: "B", emailAddress: "a@example.org"';

/** A mutation that creates a member with further fields. */
export function create(fields: string, selection = 'record { id }'): string {
  return `mutation { createMember(input: { ${PERSON}${fields} }) { ${selection} } }`;
}

/** Each message alone states what was wrong, where, and what would be valid. */
export function describeMessages(service: TestService, mistakes: Mistakes): void {
  for (const [kind, cases] of Object.entries(mistakes)) {
    describe(`the message about ${kind}`, () => {
      it.each(cases)('%s: %s', async (query, message, variables) => {
        const ask = graphql(service.app, (await service.organization()).key);
        expect((await ask.post({ query, variables })).json.errors[0].message).toBe(message);
      });
    });
  }
}
