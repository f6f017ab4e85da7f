import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
} from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { ALL_SCOPES, type Scope } from '../../../src/domain/core/scopes.ts';
import { normalize } from '../../../src/graphql/document/normal-form.ts';
import { costOf } from '../../../src/graphql/operation/cost.ts';
import { DIRECTIVES } from '../../../src/graphql/schema/directives.ts';
import { printSortedSchema, schema } from '../../../src/graphql/schema/schema.ts';
import { DERIVED_ENTITIES, exampleValuesOf, insertRecords } from '../../support/derived-records.ts';
import { graphql } from '../../support/graphql.ts';
import { manyOf } from '../../support/many.ts';
import { recordsOf } from '../../support/records.ts';
import { onEmbeddedStore, type TestOrganization } from '../../support/service.ts';

type FieldType = GraphQLObjectType | GraphQLInterfaceType;

/** A field with its directives in the printed schema, and its path from the root. */
interface Place {
  readonly coordinate: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly path: readonly string[];
  /** A document that selects the field, or `__typename` in its place. */
  document(select: 'field' | 'typename', id?: string): string;
}

/** Wraps a selection set in the fields that lead to it. */
type Wrap = (inner: string, id: string) => string;

const sdl = buildSchema(printSortedSchema());
const OPERATIONS = [OperationTypeNode.QUERY, OperationTypeNode.MUTATION, OperationTypeNode.SUBSCRIPTION];
const places = placesInSchema();

/** A type, its path from the root, and the document around a selection on it. */
interface Visit {
  readonly type: FieldType;
  readonly path: readonly string[];
  readonly wrap: Wrap;
}

/**
 * The shortest path to each field from the root. Paths of the query come before those of mutations, and those through
 * arguments that a query requires come last: their records may not exist.
 */
function placesInSchema(): readonly Place[] {
  const found = new Map<string, Place>();
  const roots = OPERATIONS.map((operation) => sdl.getRootType(operation)) as GraphQLObjectType[];
  const seen = new Set<FieldType>();
  const last: Visit[] = [];
  for (const [index, root] of roots.entries()) visitFrom(root, OPERATIONS[index] as string);
  for (const visit of last) last.push(...visitFields(visit));
  return [...found.values()];

  function visitFrom(root: FieldType, operation: string): void {
    const start: Visit = { type: root, path: [], wrap: (inner) => `${operation} { ${inner} }` };
    const queue = [start];
    for (const visit of queue) queue.push(...visitFields(visit));
  }

  function visitFields({ type, path, wrap }: Visit): Visit[] {
    if (seen.has(type)) return [];
    const next: Visit[] = [];
    seen.add(type);
    for (const field of Object.values(type.getFields())) {
      const here = [...path, field.name];
      const result = getNamedType(field.type);
      const within: Wrap = (inner, id) => {
        const selection = isObjectType(result) || isInterfaceType(result) ? `{ ${inner} }` : '';
        return wrap(`${field.name}${literalsOf(field, id)} ${selection}`, id);
      };
      found.set(`${type.name}.${field.name}`, {
        coordinate: `${type.name}.${field.name}`,
        field,
        path: here,
        document: (select, id = 'x') => (select === 'field' ? within('__typename', id) : wrap('__typename', id)),
      });
      if (!isObjectType(result) && !isInterfaceType(result)) continue;
      const isLast = field.args.some(isRequiredArgument) && type !== roots[1];
      (isLast ? last : next).push({ type: result, path: here, wrap: within });
    }
    if (isInterfaceType(type)) {
      for (const possible of sdl.getPossibleTypes(type)) {
        next.push({ type: possible, path, wrap: (inner, id) => wrap(`... on ${possible.name} { ${inner} }`, id) });
      }
    }
    return next;
  }
}

function literalsOf({ args }: Place['field'], id: string): string {
  const given = args.filter(isRequiredArgument).map(({ name, type }) => `${name}: ${literalOf(type, id)}`);
  return given.length === 0 ? '' : `(${given.join(', ')})`;
}

/** A value of an input type, with its required fields only. */
function literalOf(type: GraphQLInputType, id: string): string {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return '[]';
  if (isInputObjectType(nullable)) {
    const required = Object.values(nullable.getFields()).filter(isRequiredInputField);
    return `{ ${required.map((field) => `${field.name}: ${literalOf(field.type, id)}`).join(', ')} }`;
  }
  return String(nullable) === 'Int' ? '1' : JSON.stringify(id);
}

/** The arguments of a directive of a field in the printed schema; undefined if the field does not have it. */
function directive(name: keyof typeof DIRECTIVES, { astNode }: Place['field']): Record<string, unknown> | undefined {
  return astNode ? getDirectiveValues(DIRECTIVES[name], astNode) : undefined;
}

/** The sets of scopes of `@requiresScopes`, each of one scope. */
function scopesOf(field: Place['field']): readonly Scope[] {
  const scopes = (directive('requiresScopes', field)?.scopes ?? []) as Scope[][];
  expect(scopes.every((all) => all.length === 1)).toBe(true);
  return scopes.flat();
}

const pointsOf = (document: string) => {
  const operation = parse(document).definitions[0] as OperationDefinitionNode;
  return costOf(normalize({ schema, operation, fragments: new Map() }, {}), {}).points;
};

it('reaches every field of the schema', () => {
  const types = Object.values(sdl.getTypeMap()).filter((type) => isObjectType(type) || isInterfaceType(type));
  const coordinates = types
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => Object.keys((type as FieldType).getFields()).map((field) => `${type.name}.${field}`));
  expect(places.map(({ coordinate }) => coordinate).sort()).toEqual(coordinates.sort());
});

it('has the points that each field costs as its @cost', () => {
  const charged = places.map(({ coordinate, path, document }) => {
    // An operation costs at least one point, so root fields are measured alone.
    const others = path.length === 1 ? 0 : pointsOf(document('typename'));
    return [coordinate, pointsOf(document('field')) - others];
  });
  expect(places.map(({ coordinate, field }) => [coordinate, Number(directive('cost', field)?.weight ?? 0)])).toEqual(
    charged,
  );
});

it('has the size of every connection and of every list of objects as its @listSize', () => {
  for (const { coordinate, field, path } of places) {
    const size = directive('listSize', field);
    const type = getNullableType(field.type);
    const isConnection = getNamedType(type).name.endsWith('Connection');
    const isPage = ['edges', 'nodes'].includes(field.name) && path.length > 1;
    const isListOfObjects = isListType(type) && 'getFields' in getNamedType(type) && !isPage;
    if (isConnection) {
      const arguments_ = field.args.map(({ name }) => name).filter((name) => ['first', 'last'].includes(name));
      expect([coordinate, size]).toMatchObject([
        coordinate,
        { assumedSize: 25, slicingArguments: arguments_, requireOneSlicingArgument: false },
      ]);
      expect(size?.sizedFields).toContain('edges');
    } else if (isListOfObjects) expect([coordinate, size?.assumedSize]).toEqual([coordinate, expect.any(Number)]);
  }
});

it('has the scopes named in the description of each field as its @requiresScopes', () => {
  const named = places.filter(({ coordinate }) => !coordinate.endsWith('.changes'));
  for (const { coordinate, field } of named) {
    const [, scope] = /Scope: `([\w.]+)`/.exec(field.description ?? '') ?? [];
    expect([coordinate, scopesOf(field)]).toEqual([coordinate, scope === undefined ? [] : [scope]]);
  }
});

// Only on the embedded store: on a shared server, changes appear only after the transactions of other tests have ended.
onEmbeddedStore((service) => {
  let organization: TestOrganization;
  let member: string;
  beforeAll(async () => {
    organization = await service.organization();
    const [records, many] = [recordsOf(service, organization.id), manyOf(service, organization.id)];
    [member = ''] = await many.members(1);
    await many.tags(1, () => [member]);
    await records.department({ headId: member }, [member]);
    const form = await records.form();
    const field = await records.formField(form.id);
    await records.formResponse(form.id, { [field.id]: 'Because.' });
    for (const { name, entity } of DERIVED_ENTITIES)
      await insertRecords(service, organization.id, name, [exampleValuesOf(entity)]);
  });

  // The types of answers contain the guarded fields of their interface. A stream is refused as a whole.
  const guarded = places.filter(
    ({ coordinate, field }) =>
      scopesOf(field).length > 0 && !/^((?!Typed|Form)\w+Answer|Subscription)\./.test(coordinate),
  );

  it.each(guarded)(
    'rejects $coordinate without the scope of its @requiresScopes',
    async ({ field, path, document }) => {
      const scopes = scopesOf(field);
      const { key } = await organization.withScopes(...ALL_SCOPES.filter((scope) => !scopes.includes(scope)));
      const { json } = await graphql(service.app, key)(document('field', member));
      const [error] = json.errors;
      expect(error.extensions.code).toBe('missing_scope');
      for (const scope of scopes) expect(error.message).toContain(scope);
      // The error can be at a parent that requires the same scope.
      const at = error.path.filter((key: unknown) => typeof key === 'string');
      expect(path.slice(0, at.length)).toEqual(at);
    },
  );
});
