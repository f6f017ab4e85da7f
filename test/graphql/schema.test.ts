import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  findBreakingChanges,
  type GraphQLField,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedDirective,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { ALL_SCOPES } from '../../src/domain/scopes.ts';
import { schema } from '../../src/graphql/schema/schema.ts';

const printed = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');

/** The schema as it was last committed; the file where there is no such commit, or no git. */
function committed(): string {
  try {
    return execFileSync('git', ['show', 'HEAD:schema.graphql'], {
      cwd: new URL('../..', import.meta.url),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return printed;
  }
}

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const objects = types.filter(isObjectType);
const named = (name: string) => {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`no type ${name}`);
  return type;
};

/** The types of records: what `node` can give. */
const RECORDS = [
  ...[
    'Department',
    'Designation',
    'Event',
    'Form',
    'FormField',
    'FormResponse',
    'Member',
    'PrayerRequest',
    'Service',
    'Tag',
  ],
];
/** The records that some list holds. */
const LISTED = RECORDS.filter((name) => name !== 'FormField' && name !== 'PrayerRequest');

/** The lists that lead away from a key, by the type of their nodes: no records, and not for `node`. */
const OF_KEY = { ApiKeyUsage: 'ApiKeyUsageDay', AuditEntry: 'AuditEntry' };
const CONNECTIONS = { ...Object.fromEntries(LISTED.map((name) => [name, name])), ...OF_KEY };

/** The fields that need a scope which the record they are on does not need. */
const WITH_SCOPE = [
  ...['Member.tags', 'Member.departments', 'Department.members', 'Department.headOfDepartment', 'Form.responses'],
  ...['FormResponse.form', 'FormAnswer.field', 'UpdateMemberTagsPayload.member'],
];

describe('schema.graphql', () => {
  it('is what the schema prints, sorted', () => {
    expect(printed.trimEnd()).toBe(printSchema(lexicographicSortSchema(schema)));
  });

  it('breaks nothing that was there before', () => {
    expect(findBreakingChanges(buildSchema(committed()), schema)).toEqual([]);
  });
});

describe('the schema', () => {
  it('describes every type, field, argument, value, input field and directive', () => {
    const silent: string[] = [];
    const look = (place: string, { description }: { description?: string | null | undefined }) => {
      if (!description?.trim()) silent.push(place);
    };
    const lookAtFields = (place: string, fields: Record<string, GraphQLField<unknown, unknown>>) => {
      for (const field of Object.values(fields)) {
        look(`${place}.${field.name}`, field);
        for (const argument of field.args) look(`${place}.${field.name}(${argument.name}:)`, argument);
      }
    };
    for (const type of types) {
      look(type.name, type);
      if (isObjectType(type) || isInterfaceType(type)) lookAtFields(type.name, type.getFields());
      else if (isInputObjectType(type)) {
        for (const field of Object.values(type.getFields())) look(`${type.name}.${field.name}`, field);
      } else if (isEnumType(type)) for (const value of type.getValues()) look(`${type.name}.${value.name}`, value);
    }
    for (const directive of schema.getDirectives().filter((one) => !isSpecifiedDirective(one)))
      look(directive.name, directive);
    expect(silent).toEqual([]);
  });

  it('makes every record a node with a non-null id', () => {
    const nodes = objects.filter((type) => type.getInterfaces().some(({ name }) => name === 'Node'));
    expect(nodes.map(({ name }) => name).sort()).toEqual(RECORDS);
    for (const type of nodes) expect(String(type.getFields().id?.type)).toBe('ID!');
  });

  it('has one connection and one edge type for each list, and no other', () => {
    const ending = (suffix: string) =>
      objects
        .map(({ name }) => name)
        .filter((name) => name.endsWith(suffix))
        .sort();
    const names = Object.keys(CONNECTIONS).sort();
    expect(ending('Connection')).toEqual(names.map((name) => `${name}Connection`));
    expect(ending('Edge')).toEqual(names.map((name) => `${name}Edge`));
  });

  it.each(Object.entries(CONNECTIONS))('makes the edges and nodes of %sConnection non-null', (name, node) => {
    const connection = named(`${name}Connection`).getFields();
    const edge = named(`${name}Edge`).getFields();
    expect(String(connection.edges?.type)).toBe(`[${name}Edge!]!`);
    expect(String(connection.pageInfo?.type)).toBe('PageInfo!');
    expect(String(edge.node?.type)).toBe(`${node}!`);
    expect(String(edge.cursor?.type)).toBe('String!');
  });

  it('tells in full where a page lies', () => {
    const fields = Object.values(named('PageInfo').getFields()).map(({ name, type }) => `${name}: ${type}`);
    expect(fields.sort()).toEqual([
      'endCursor: String',
      'hasNextPage: Boolean!',
      'hasPreviousPage: Boolean!',
      'startCursor: String',
    ]);
  });

  it('gives every connection all four arguments, and a search to those at the root', () => {
    for (const type of objects) {
      for (const { name, type: result, args } of Object.values(type.getFields())) {
        if (!getNamedType(result).name.endsWith('Connection')) continue;
        const expected = ['after', 'before', 'first', 'last', ...(type === schema.getQueryType() ? ['search'] : [])];
        expect([name, args.map((argument) => argument.name).sort()]).toEqual([name, expected]);
      }
    }
  });

  it('makes every field at the root nullable that a key may lack the scope for', () => {
    const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {}),
    );
    expect(roots.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual(['viewer']);
    for (const { name, description } of roots) {
      const scope = /Scope: `([\w.]+)`/.exec(description ?? '')?.[1];
      if (!['viewer', 'node', 'nodes'].includes(name))
        expect([name, ALL_SCOPES]).toEqual([name, expect.arrayContaining([scope])]);
    }
  });

  it('makes every nested field with a scope of its own nullable, and says which scope it is', () => {
    for (const place of WITH_SCOPE) {
      const [type = '', field = ''] = place.split('.');
      const definition = named(type).getFields()[field];
      expect([place, isNonNullType(definition?.type)]).toEqual([place, false]);
      expect(definition?.description).toMatch(/Scope: `[\w.]+`/);
    }
  });

  it('has no field from one record to another beside those with a scope', () => {
    const leading = objects
      .filter(({ name }) => RECORDS.includes(name) || name === 'FormAnswer')
      .flatMap((type) =>
        Object.values(type.getFields()).map((field) => ({ place: `${type.name}.${field.name}`, field })),
      )
      .filter(({ field }) => {
        const { name } = getNamedType(field.type);
        return RECORDS.includes(name) || name.endsWith('Connection');
      })
      .map(({ place }) => place);
    // A form and its fields are one record.
    expect(leading.sort()).toEqual(
      [...WITH_SCOPE, 'Form.fields'].filter((place) => !place.startsWith('Update')).sort(),
    );
  });

  it('has lists of non-null items, but for `nodes`', () => {
    const holed = objects.flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => {
          const list = getNullableType(field.type);
          return isListType(list) && !isNonNullType(list.ofType);
        })
        .map(({ name }) => `${type.name}.${name}`),
    );
    expect(holed).toEqual(['Query.nodes']);
  });
});
