import { buildSchema, getIntrospectionQuery, type ObjectTypeDefinitionNode, parse, print } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { schemaWith } from '../../../src/graphql/schema/federation.ts';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { appOn } from '../../support/apps.ts';
import { times } from '../../support/data.ts';
import { codesIn, graphql } from '../../support/graphql.ts';
import { onOneStore } from '../../support/service.ts';

onOneStore((service) => {
  let app: App;
  beforeAll(() => {
    app = appOn(service, { federation: true });
  });

  describe('GRAPHQL_FEDERATION=off', () => {
    it.each(['_service { sdl }', '_entities(representations: []) { __typename }'])('has no %s', async (field) => {
      const { json } = await graphql(service.app, (await service.organization()).key)(`{ ${field} }`);
      expect(json.data).toBeUndefined();
      expect(json.errors[0].message).toContain('Cannot query field');
    });

    it('exposes no federation types in introspection', async () => {
      const { text } = await graphql(service.app, (await service.organization()).key)(getIntrospectionQuery());
      expect(text).not.toMatch(/_Any|_Entity|_Service|_entities/);
      expect(schemaWith({ federation: false })).toBe(schema);
    });
  });

  describe('_service', () => {
    it('returns the schema with a key for each type of node, and without _service and _entities', async () => {
      const { json } = await graphql(app, (await service.organization()).key)('{ _service { sdl } }');
      const [link, ...definitions] = parse(json.data._service.sdl, { noLocation: true }).definitions;
      expect(print(link as never)).toContain('https://specs.apollo.dev/federation/v2.');
      const directives = (definition: ObjectTypeDefinitionNode) => definition.directives?.map(print).join();
      const types = definitions.filter(({ kind }) => kind === 'ObjectTypeDefinition') as ObjectTypeDefinitionNode[];
      const isNode = ({ interfaces = [] }: ObjectTypeDefinitionNode) =>
        interfaces.some(({ name }) => name.value === 'Node');
      for (const type of types) {
        const expected = isNode(type) ? '@key(fields: "id")' : type.name.value === 'PageInfo' ? '@shareable' : '';
        expect([type.name.value, directives(type)]).toEqual([type.name.value, expected]);
      }
      const plain = definitions.map((definition) => print({ ...definition, directives: [] } as never)).join('\n\n');
      expect(() => buildSchema(plain)).not.toThrow();
      expect(json.data._service.sdl).not.toMatch(/_Any|_Entity|_Service|_entities/);
    });

    it('has the size limit of introspection, also under many aliases', async () => {
      const ask = graphql(app, (await service.organization()).key);
      const aliased = (count: number, field: string) => times(count, (n) => `a${n}: ${field}`).join(' ');
      const standard = getIntrospectionQuery().replace('{', '{ _service { sdl }');
      expect((await ask(standard)).json.errors).toBeUndefined();
      for (const query of [
        `{ _service { ${aliased(60, 'sdl')} } }`,
        `{ ${aliased(60, '_service { sdl }')} }`,
        `{ ${aliased(5, `_service { ...F }`)} } fragment F on _Service { ${aliased(5, 'sdl')} }`,
      ]) {
        const answer = await ask(query);
        expect([answer.json.data, codesIn(answer)]).toEqual([undefined, ['query_too_complex']]);
      }
    });
  });
});
