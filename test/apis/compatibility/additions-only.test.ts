import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { openApiDocument } from '../../../src/rest/openapi/document.ts';
import { breakingGraphQLChanges, breakingOpenApiChanges, openApiContract } from './contracts.ts';
import { publishContracts } from './publish.ts';

/** The contracts of each published version, see `docs/contributing.md`. */
const PUBLISHED = new URL('published/', import.meta.url);

describe.each(readdirSync(PUBLISHED))('clients of the version of %s', (version) => {
  const published = (file: string) => readFileSync(new URL(`${version}/${file}`, PUBLISHED), 'utf8');
  const advice =
    `These changes break clients of the version of ${version}. Undo them: keep what was published, and add the new beside ` +
    `it. If they are intended and the version need not be supported, delete test/apis/compatibility/published/${version} ` +
    'and run: npm run publish:contracts';

  it('can use the REST API', () => {
    const earlier = openApiContract(published('openapi.json'));
    expect(breakingOpenApiChanges(earlier, openApiContract(openApiDocument())), advice).toEqual([]);
  });

  it('can use the GraphQL API', () => {
    expect(breakingGraphQLChanges(buildSchema(published('schema.graphql')), schema), advice).toEqual([]);
  });
});

it('refuses to publish a version again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cms-published-'));
  const published = pathToFileURL(`${folder}/`);
  try {
    publishContracts('2026-12-24', published);
    const schemaOf = () => readFileSync(new URL('2026-12-24/schema.graphql', published), 'utf8');
    const first = schemaOf();
    expect(() => publishContracts('2026-12-24', published)).toThrow(/2026-12-24\/ is published already/);
    expect(schemaOf()).toBe(first);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('breaking changes of an OpenAPI document', () => {
  const contract = partOf(
    openApiContract(openApiDocument()) as Contract,
    ['/members', '/members/{object_id}'],
    ['ChangeOperation', 'ChangeResource'],
  );

  interface Contract {
    readonly paths: Record<string, Record<string, Operation>>;
    readonly components: { readonly schemas: Record<string, ObjectSchema> };
  }

  interface Operation {
    parameters: { name: string; in: string; required?: boolean; schema: { type: string; enum?: string[] } }[];
    readonly responses: Record<string, object>;
  }

  interface ObjectSchema {
    properties: Record<string, { type: string | string[]; maxLength?: number }>;
    required: string[];
    enum?: string[];
  }

  /** Some paths without their errors, some schemas, and the components that they use: comparing all takes long. */
  function partOf({ paths, components, ...rest }: Contract, usedPaths: string[], usedSchemas: string[]): Contract {
    const part = {
      ...rest,
      paths: Object.fromEntries(usedPaths.map((path) => [path, withoutErrors(paths[path] ?? {})])),
    };
    const used = new Set(usedSchemas.map((name) => `#/components/schemas/${name}`));
    const addReferencesIn = (value: unknown) => {
      for (const [, reference = ''] of JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)) used.add(reference);
    };
    addReferencesIn(part);
    // A set also iterates over what is added meanwhile.
    for (const reference of used) {
      const [, , kind = '', name = ''] = reference.split('/');
      addReferencesIn((components as Record<string, Record<string, unknown>>)[kind]?.[name]);
    }
    const isUsed = (kind: string, name: string) => used.has(`#/components/${kind}/${name}`);
    const usedComponents = Object.entries(components).map(([kind, all]) => [
      kind,
      Object.fromEntries(Object.entries(all).filter(([name]) => isUsed(kind, name))),
    ]);
    return { ...part, components: Object.fromEntries(usedComponents) };
  }

  function withoutErrors(methods: Record<string, Operation>): Record<string, Operation> {
    const successes = ({ responses }: Operation) =>
      Object.fromEntries(Object.entries(responses).filter(([status]) => status < '300'));
    return Object.fromEntries(
      Object.entries(methods).map(([method, one]) => [method, { ...one, responses: successes(one) }]),
    );
  }

  function changesAfter(change: (contract: Contract) => unknown): string[] {
    const changed = structuredClone(contract);
    change(changed);
    return breakingOpenApiChanges(contract, changed);
  }

  const operation = ({ paths }: Contract, path = '/members', method = 'get') => paths[path]?.[method] as Operation;
  const schemaOf = ({ components }: Contract, name: string) => components.schemas[name] as ObjectSchema;

  it.each<[string, (contract: Contract) => unknown]>([
    ['a removed path', ({ paths }) => delete paths['/members/{object_id}']],
    [
      'a new required parameter',
      (changed) =>
        operation(changed).parameters.push({ name: 'region', in: 'query', required: true, schema: { type: 'string' } }),
    ],
    ['a removed property of a response', (changed) => delete schemaOf(changed, 'Member').properties.city],
    ['a request property that becomes required', (changed) => schemaOf(changed, 'NewMember').required.push('city')],
    [
      'a lower maxLength in a request',
      (changed) => Object.assign(schemaOf(changed, 'NewMember').properties.first_name as object, { maxLength: 5 }),
    ],
    [
      'a new required parameter by reference',
      (changed) => {
        Object.assign(changed.components, { parameters: { Region: { name: 'region', in: 'query', required: true } } });
        operation(changed).parameters.push({ $ref: '#/components/parameters/Region' } as never);
      },
    ],
    ['a new value of an enum', (changed) => (schemaOf(changed, 'ChangeOperation').enum as string[]).push('merged')],
  ])('include %s', (_, change) => {
    expect(changesAfter(change)).not.toEqual([]);
  });

  it.each<[string, (contract: Contract) => unknown]>([
    ['a new path', ({ paths }) => Object.assign(paths, { '/visitors': paths['/members'] })],
    [
      'a new optional parameter',
      (changed) => operation(changed).parameters.push({ name: 'region', in: 'query', schema: { type: 'string' } }),
    ],
    [
      'a new property of a response',
      (changed) => {
        schemaOf(changed, 'Member').properties.region = { type: 'string' };
        schemaOf(changed, 'Member').required.push('region');
      },
    ],
    [
      'a new resource of changes',
      (changed) => (schemaOf(changed, 'ChangeResource').enum as string[]).push('households'),
    ],
    [
      'a higher maxLength in a request',
      (changed) => Object.assign(schemaOf(changed, 'NewMember').properties.first_name as object, { maxLength: 500 }),
    ],
  ])('do not include %s', (_, change) => {
    expect(changesAfter(change)).toEqual([]);
  });
});

describe('breaking changes of a GraphQL schema', () => {
  const earlier = 'enum Color { RED } type Query { color(first: Int = 25): Color } input Filter { name: String }';

  it.each([
    ['a removed field', earlier.replace('color(first: Int = 25): Color', 'other: Color')],
    ['a new value of an enum', earlier.replace('RED', 'RED BLUE')],
    ['another default', earlier.replace('25', '3')],
    ['a new required argument', earlier.replace('= 25', '= 25, last: Int!')],
  ])('include %s', (_, later) => {
    expect(breakingGraphQLChanges(buildSchema(earlier), buildSchema(later))).not.toEqual([]);
  });

  it('do not include a new scope', () => {
    const scopes = 'enum Scope { READ } type Query { scopes: [Scope!]! }';
    const later = scopes.replace('READ', 'READ WRITE');
    expect(breakingGraphQLChanges(buildSchema(scopes), buildSchema(later))).toEqual([]);
  });

  it('do not include a new field, argument and input field', () => {
    const later = earlier.replace('= 25', '= 25, last: Int').replace('Color }', 'Color other: Int }');
    expect(breakingGraphQLChanges(buildSchema(earlier), buildSchema(later.replace('name:', 'id: ID name:')))).toEqual(
      [],
    );
  });
});
