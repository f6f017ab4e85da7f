import { readFileSync } from 'node:fs';
import {
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
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { ALL_SCOPES } from '../../../src/domain/core/scopes.ts';
import { ENTITIES } from '../../../src/domain/entities/registry.ts';
import { printSortedSchema, schema } from '../../../src/graphql/schema/schema.ts';

const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const objects = types.filter(isObjectType);
/** The record types: those that implement `Node`. */
const RECORDS = [...Object.values(ENTITIES).map(({ entity }) => entity.name), 'FormField'].sort();

it('schema.graphql is up to date with the schema', () => {
  expect(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8')).toBe(printSortedSchema());
});

describe('the schema', () => {
  it('describes every type, field, argument, enum value, input field and directive', () => {
    const undescribed: string[] = [];
    const check = (coordinate: string, { description }: { description?: string | null | undefined }) => {
      if (!description?.trim()) undescribed.push(coordinate);
    };
    const checkFields = (typeName: string, fields: Record<string, GraphQLField<unknown, unknown>>) => {
      for (const field of Object.values(fields)) {
        check(`${typeName}.${field.name}`, field);
        for (const argument of field.args) check(`${typeName}.${field.name}(${argument.name}:)`, argument);
      }
    };
    for (const type of types) {
      check(type.name, type);
      if (isObjectType(type) || isInterfaceType(type)) checkFields(type.name, type.getFields());
      else if (isInputObjectType(type)) {
        for (const field of Object.values(type.getFields())) check(`${type.name}.${field.name}`, field);
      } else if (isEnumType(type)) for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
    }
    for (const directive of schema.getDirectives().filter((one) => !isSpecifiedDirective(one)))
      check(directive.name, directive);
    expect(undescribed).toEqual([]);
  });

  it('makes every record a node with a non-null id', () => {
    const nodes = objects.filter((type) => type.getInterfaces().some(({ name }) => name === 'Node'));
    expect(nodes.map(({ name }) => name).sort()).toEqual(RECORDS);
    for (const type of nodes) expect(String(type.getFields().id?.type)).toBe('ID!');
  });

  it('has page arguments on every connection, and supported search, filter and order at the root', () => {
    for (const type of objects) {
      for (const { name, type: result, args } of Object.values(type.getFields())) {
        // The change feed only goes forwards.
        if (!getNamedType(result).name.endsWith('Connection') || name === 'changes') continue;
        const expected = ['after', 'before', 'first', 'last', ...(type === schema.getQueryType() ? ['search'] : [])];
        const names = args.map((argument) => argument.name).filter((argument) => !/^(filter|orderBy)$/.test(argument));
        expect([name, names.sort()]).toEqual([name, expected]);
      }
    }
  });

  it('makes every root field that requires a scope nullable', () => {
    const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {}),
    );
    expect(roots.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual(['viewer']);
    for (const { name, description } of roots) {
      const scope = /Scope: `([\w.]+)`/.exec(description ?? '')?.[1];
      if (!['viewer', 'node', 'nodes', 'changes'].includes(name))
        expect([name, ALL_SCOPES]).toEqual([name, expect.arrayContaining([scope])]);
    }
  });

  it('requires a scope for every field that returns other records, which is nullable', () => {
    const relations = objects
      .filter(({ name }) => RECORDS.includes(name) || name === 'FormAnswer')
      .flatMap((type) =>
        Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, field })),
      )
      .filter(
        ({ field: { type } }) =>
          /Connection$/.test(getNamedType(type).name) || RECORDS.includes(getNamedType(type).name),
      )
      // The fields of a form are part of the form.
      .filter(({ name }) => name !== 'Form.fields');
    expect(relations.length).toBeGreaterThan(8);
    for (const { name, field } of relations) {
      expect([name, isNonNullType(field.type), field.description]).toEqual([
        name,
        false,
        expect.stringMatching(/Scope: `[\w.]+`/),
      ]);
    }
  });

  it('has non-null items in all lists except `nodes`', () => {
    const nullableItems = objects.flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => {
          const list = getNullableType(field.type);
          return isListType(list) && !isNonNullType(list.ofType);
        })
        .map(({ name }) => `${type.name}.${name}`),
    );
    expect(nullableItems).toEqual(['Query.nodes']);
  });

  it('has payloads with userErrors, and with fields that can be null or empty for all results', () => {
    const payloads = Object.values(schema.getMutationType()?.getFields() ?? {}).map(({ type }) => getNamedType(type));
    for (const payload of payloads) {
      if (!isObjectType(payload)) throw new Error(`${payload} is no object type`);
      const { userErrors, ...others } = payload.getFields();
      expect([payload.name, String(userErrors?.type)]).toEqual([payload.name, '[UserError!]!']);
      const types = Object.values(others).map(({ type }) => type);
      const required = types.filter((type) => isNonNullType(type) && !isListType(type.ofType));
      for (const type of required) expect(types.map(String)).toContain(String(getNullableType(type)));
    }
  });
});
