import { expect, it } from 'vitest';
import { missingScope } from '../../../src/domain/core/errors.ts';
import { openApiDocument } from '../../../src/rest/openapi/document.ts';
import { routes } from '../../../src/rest/routes.ts';

// Shapes that client generators need: each of these was misread by a generator in another form.

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
const document: any = JSON.parse(openApiDocument());
const schemas = document.components.schemas;

interface Place {
  readonly pointer: string;
  readonly value: Record<string, unknown>;
}

function objectsIn(value: unknown, pointer = '#'): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, one]) => objectsIn(one, `${pointer}/${key}`));
  return Array.isArray(value) ? inside : [{ pointer, value: value as Record<string, unknown> }, ...inside];
}

const all = objectsIn(document);

it('describes nullable enums, arrays and objects by anyOf', () => {
  const merged = all.filter(
    ({ value: { type, enum: values, items, properties } }) =>
      Array.isArray(type) && type.includes('null') && (values ?? items ?? properties),
  );
  expect(merged.map(({ pointer }) => pointer)).toEqual([]);
  expect(schemas.Member.properties.gender.anyOf).toEqual([{ $ref: '#/components/schemas/Gender' }, { type: 'null' }]);
  expect(schemas.FormField.properties.options.anyOf).toEqual([
    expect.objectContaining({ type: 'array', items: { $ref: '#/components/schemas/FormFieldOption' } }),
    { type: 'null' },
  ]);
  expect(schemas.MemberTagChanges.properties.add.anyOf).toEqual([
    expect.objectContaining({ type: 'array' }),
    { type: 'null' },
  ]);
});

it('describes nullable strings, numbers and booleans by their type', () => {
  expect(schemas.Member.properties.city.type).toEqual(['string', 'null']);
  expect(schemas.Event.properties.maximum_participants.type).toEqual(['integer', 'null']);
});

it('has one named schema of genders', () => {
  expect(schemas.Gender).toMatchObject({ type: 'string', enum: ['Male', 'Female', 'Others'] });
  for (const name of ['NewMember', 'MemberChanges', 'Member']) {
    expect(schemas[name].properties.gender.anyOf[0], name).toEqual({ $ref: '#/components/schemas/Gender' });
  }
});

it('describes a time or date as two string formats, which generators read as a string or a date', () => {
  const { parameters } = document.paths['/members'].get;
  const { schema } = parameters.find(({ name }: { name: string }) => name === 'updated_since');
  expect(schema.anyOf).toEqual([
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
  ]);
});

it('describes the headers of conditional and idempotent requests as optional parameters', () => {
  const headersOf = (path: string, method: string) =>
    document.paths[path][method].parameters
      .filter((parameter: { in: string; required?: boolean }) => parameter.in === 'header' && !parameter.required)
      .map(({ name }: { name: string }) => name);
  expect(headersOf('/members', 'post')).toEqual(['Idempotency-Key']);
  expect(headersOf('/members/{object_id}', 'get')).toEqual(['If-None-Match']);
  expect(headersOf('/members/{object_id}', 'patch')).toEqual(['Idempotency-Key', 'If-Match']);
  expect(headersOf('/members', 'get')).toEqual([]);
});

it('uses only formats that generators support', () => {
  const formats = new Set(all.flatMap(({ value: { format } }) => (typeof format === 'string' ? [format] : [])));
  expect(formats).toEqual(new Set(['date', 'date-time']));
});

it('has named schemas for all errors, each with distinct codes', () => {
  const bodies = all.filter(({ pointer }) => /\/responses\/[^/]+\/content\/application~?1?\/?json$/.test(pointer));
  const errors = bodies
    .map(({ value }) => value.schema as { $ref?: string; anyOf?: { $ref: string }[]; properties?: object })
    .filter(({ properties }) => !properties || !('data' in properties));
  expect(errors.length).toBeGreaterThan(10);
  const named = new Set<string>();
  for (const { $ref, anyOf } of errors) {
    for (const one of anyOf?.map(({ $ref: inside }) => inside) ?? [$ref]) {
      expect(one).toMatch(/^#\/components\/schemas\/\w+$/);
      named.add((one as string).split('/').at(-1) as string);
    }
  }
  const codes = [...named].flatMap((name) => {
    const { code } = schemas[name].properties.error.properties;
    return code.enum ?? [code.const];
  });
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes).toContain('org_limit_reached');
});

it('shows the required scope of each operation in its missing_scope example', () => {
  for (const { path, method, operation } of routes.filter((route) => route.operation.scopes.length > 0)) {
    const forbidden = document.paths[path][method.toLowerCase()].responses['403'];
    const response = forbidden.$ref ? document.components.responses[forbidden.$ref.split('/').at(-1)] : forbidden;
    expect(response.content['application/json'].example.error).toEqual({
      code: 'missing_scope',
      message: missingScope(operation.scopes),
    });
  }
});
