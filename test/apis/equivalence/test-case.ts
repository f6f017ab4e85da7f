import { ALL_SCOPES, type Scope } from '../../../src/domain/core/scopes.ts';
import { writableFields } from '../../../src/domain/definition/create.ts';
import type { Entity } from '../../../src/domain/definition/entity.ts';
import type { FieldsByName } from '../../../src/domain/definition/field.ts';
import { newId } from '../../../src/domain/values/ids.ts';
import { person, times } from '../../support/data.ts';
import {
  DERIVED_ENTITIES,
  type DerivedEntityName,
  exampleValuesOf,
  labelOf,
  newRecordOf,
  requiredValuesOf,
  segmentOf,
  withReferences,
} from '../../support/derived-records.ts';
import { recordsOf } from '../../support/records.ts';
import { EXAMPLE_BODIES } from '../../support/requests/example-bodies.ts';
import type { TestService } from '../../support/service.ts';
import { type Fixture, type Ids, referencedIds } from './fixtures.ts';
import { type Input, OPERATIONS } from './operations.ts';

/** A request to which both APIs must respond equally. */
export interface TestCase {
  readonly operation: string;
  readonly name: string;
  /** The expected error; undefined for a success. */
  readonly code: string | undefined;
  readonly scopes: readonly Scope[];
  readonly input: (fixture: Fixture, given: string) => Input;
  /** Creates a record outside of both fixtures that the request needs. */
  readonly given?: (service: TestService) => Promise<string>;
  /** GraphQL rejects it by its types, with a different message. */
  readonly typed?: boolean;
}

type Rest = Partial<Pick<TestCase, 'scopes' | 'given' | 'typed'>>;

/** A request that succeeds. */
export function succeeds(operation: string, name: string, input: TestCase['input'], rest: Rest = {}): TestCase {
  return fails(operation, name, undefined, input, rest);
}

/** A request that fails with `code`. */
export function fails(
  operation: string,
  name: string,
  code: string | undefined,
  input: TestCase['input'],
  rest: Rest = {},
): TestCase {
  return { operation, name: `with ${name}`, code, scopes: ALL_SCOPES, input, ...rest };
}

/** The cases of every list; with a search where `q` is text that matches a record. */
export function listCases(operation: string, path: (fixture: Fixture) => Input, q?: string): TestCase[] {
  const paged = (input: Input) => (fixture: Fixture) => ({ ...path(fixture), ...input });
  const searched =
    q === undefined
      ? []
      : [
          succeeds(operation, 'a search', paged({ q })),
          succeeds(operation, 'a search that finds nothing', paged({ q: 'nothing is called so' })),
          fails(
            operation,
            'a search that is too long, and no limit',
            'invalid_request',
            paged({ q: 'x'.repeat(201), limit: 0 }),
          ),
          fails(operation, 'a search with a NUL', 'invalid_request', paged({ q: 'a\0' })),
        ];
  return [
    succeeds(operation, 'nothing else', paged({})),
    succeeds(operation, 'a small page', paged({ limit: 2 })),
    succeeds(operation, 'a page that is too large', paged({ limit: 1000 })),
    fails(operation, 'a negative limit', 'invalid_request', paged({ limit: -1 })),
    fails(operation, 'a forged cursor', 'invalid_cursor', paged({ cursor: 'A'.repeat(32) })),
    succeeds(operation, 'an empty cursor', paged({ cursor: '' })),
    ...searched,
  ];
}

/** Ids without a record, each rejected like the others. */
export function notFound(
  operation: string,
  prefix: Parameters<typeof newId>[0],
  parameter: string,
  input: Input = {},
): TestCase[] {
  const ids = { 'an unknown id': newId(prefix), 'an id of another kind': newId('key'), 'what is no id': 'x' };
  return Object.entries(ids).map(([name, id]) =>
    fails(operation, name, 'not_found', () => ({ ...input, [parameter]: id })),
  );
}

/** An input that GraphQL accepts by its types, and the operation rejects. */
export function invalidInput(operation: string): Input {
  const id = Object.fromEntries(
    (OPERATIONS[operation]?.path ?? []).map((name) => [name, name === 'form_id' ? 11 : 'x']),
  );
  const body: Record<string, Input> = {
    'POST /members': newMember('x', 'nobody'),
    ...Object.fromEntries(
      DERIVED_ENTITIES.map(({ entity }) => [
        `POST /${segmentOf(entity)}`,
        newRecordOf(entity, requiredValuesOf(entity)),
      ]),
    ),
    'POST /forms/{form_id}/responses': { answers: {} },
  };
  return { ...id, ...(body[operation] ?? EXAMPLE_BODIES[operation]) };
}

/** The cases of an entity whose operations are derived from its definition. */
export function derivedCases({ name, entity }: (typeof DERIVED_ENTITIES)[number]): TestCase[] {
  const path = `/${segmentOf(entity)}`;
  const get = `GET ${path}/{id}`;
  const create = `POST ${path}`;
  const update = `PATCH ${path}/{id}`;
  const remove = `DELETE ${path}/{id}`;
  const required = newRecordOf(entity, requiredValuesOf(entity));
  // GraphQL checks the values of enums by itself, before it checks other fields.
  const texts = Object.entries(required).filter(
    ([name, value]) => typeof value === 'string' && (entity.fields as FieldsByName)[name]?.type !== 'enum',
  );
  const blank = Object.fromEntries(texts.map(([name]) => [name, ' ']));
  return [
    ...listCases(`GET ${path}`, () => ({}), labelOf(entity, 1)),
    succeeds(get, 'a full record', ({ ids }) => ({ id: ids.derived[name][0] })),
    succeeds(get, 'an empty record', ({ ids }) => ({ id: ids.derived[name][1] })),
    ...notFound(get, entity.prefix, 'id'),
    ...(OPERATIONS[create]
      ? [
          succeeds(create, 'the required fields', ({ ids }) => requiredInputOf(entity, ids)),
          succeeds(create, 'every field', ({ ids }) =>
            withReferences(entity, newRecordOf(entity, exampleValuesOf(entity)), referencedIds(ids)),
          ),
          fails(create, 'nothing', 'invalid_request', () => ({}), { typed: true }),
          fails(create, 'blank text where a value is required', 'invalid_request', ({ ids }) => ({
            ...requiredInputOf(entity, ids),
            ...blank,
          })),
        ]
      : []),
    ...(OPERATIONS[update]
      ? [
          succeeds(update, 'every field', ({ ids }) => ({
            ...withReferences(entity, changesOf(entity, exampleValuesOf(entity)), referencedIds(ids)),
            id: ids.derived[name][1],
          })),
          succeeds(update, 'no change', ({ ids }) => ({ id: ids.derived[name][0] })),
          ...notFound(update, entity.prefix, 'id'),
        ]
      : []),
    ...(OPERATIONS[remove]
      ? [
          succeeds(remove, 'a record', ({ ids }) => ({ id: ids.derived[name][2] })),
          ...notFound(remove, entity.prefix, 'id'),
        ]
      : []),
    ...[create, update].flatMap((operation) => unknownReferences(operation, name, entity)),
  ];
}

/** The required input of a creation. */
function requiredInputOf(entity: Entity<object>, ids: Ids): Input {
  return withReferences(entity, newRecordOf(entity, requiredValuesOf(entity)), referencedIds(ids));
}

/** The values that an update accepts. */
function changesOf(entity: Entity<object>, values: Input): Input {
  const names = writableFields(entity, 'update').map(([name]) => name);
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** A reference to a record that does not exist, for each reference that an operation accepts. */
function unknownReferences(operation: string, name: DerivedEntityName, entity: Entity<object>): TestCase[] {
  if (!OPERATIONS[operation]) return [];
  const isCreation = operation.startsWith('POST');
  return writableFields(entity, isCreation ? 'create' : 'update').flatMap(([field, { reference }]) =>
    reference
      ? [
          fails(operation, `an unknown ${field}`, 'invalid_request', ({ ids }) => ({
            ...(isCreation ? requiredInputOf(entity, ids) : { id: ids.derived[name][1] }),
            [field]: newId(reference.prefix),
          })),
        ]
      : [],
  );
}

/** The body that creates a member. */
export function newMember(unique: string, email = `new.${unique}@example.org`): Input {
  return { first_name: 'New', last_name: 'Member', email_address: email };
}

/** The address of a person who belongs to `count` organizations. */
export async function personIn(service: TestService, count: number): Promise<string> {
  const body = person({ city: 'Elsewhere', phone_number: '+16502530002' });
  for (const organization of await Promise.all(times(count, () => service.organization()))) {
    const { json } = await organization.post('/members', body);
    const tag = await recordsOf(service, organization.id).tag();
    await organization.patch(`/members/${json.data.id}/tags`, { add: [tag.id] });
  }
  return body.email_address;
}
