import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLError,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  parse,
  validate,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { graphql } from '../../../support/graphql.ts';
import type { TestService } from '../../../support/service.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Mistakes by kind: a document, its first message or the hint in it, and its variables. */
export type Mistakes = Readonly<
  Record<string, readonly (readonly [document: string, expected: string, variables?: Variables])[]>
>;

/** The schema that is served. */
const schema = buildSchema(readFileSync(new URL('../../../../schema.graphql', import.meta.url), 'utf8'));

/** The types of records, by which `node(id:)` finds them. */
export const RECORD_TYPES = schema
  .getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType)
  .map(({ name }) => name)
  .sort();

/** The fields of a type as a message lists them. */
export function fieldsOf(type: string): string {
  return Object.keys((schema.getType(type) as GraphQLObjectType).getFields())
    .sort()
    .join(', ');
}

/** The fields that a new member requires. */
export const PERSON = 'firstName: "A", lastName: "B", emailAddress: "a@example.org"';

/** A mutation that creates a member with further fields. */
export function create(fields: string, selection = 'record { id }'): string {
  return `mutation { createMember(input: { ${PERSON}${fields} }) { ${selection} } }`;
}

/** Each message alone states what was wrong, where, and what would be valid. */
export function describeMessages(service: TestService, mistakes: Mistakes): void {
  describeFirstMessages(service, mistakes, (message, _, expected) => expect(message).toBe(expected));
}

/** Each message is that of graphql-js, with a hint instead of its suggestions; then follows the place of a syntax error. */
export function describeHints(service: TestService, mistakes: Mistakes): void {
  describeFirstMessages(service, mistakes, (message, document, hint) => {
    const { message: reference, locations: [place] = [] } = firstError(document);
    const isSyntaxError = reference.startsWith('Syntax Error');
    const expected = `${reference.replace(/ Did you mean .*$/, '')} ${hint}`;
    expect(message.replace(/(?<=column \d+), after ".*"\)$/s, ')')).toBe(
      isSyntaxError ? `${expected} (line ${place?.line}, column ${place?.column})` : expected,
    );
  });
}

/** The first error of graphql-js. */
function firstError(document: string): GraphQLError {
  try {
    return validate(schema, parse(document))[0] as GraphQLError;
  } catch (error) {
    return error as GraphQLError;
  }
}

function describeFirstMessages(
  service: TestService,
  mistakes: Mistakes,
  expectMessage: (message: string, document: string, expected: string) => void,
): void {
  for (const [kind, cases] of Object.entries(mistakes)) {
    describe(`the message about ${kind}`, () => {
      it.for(cases)('%s: %s', async ([query, expected, variables]) => {
        const ask = graphql(service.app, (await service.organization()).key);
        expectMessage((await ask.post({ query, variables })).json.errors[0].message, query, expected);
      });
    });
  }
}
