import { execute, parse } from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import type { Caller, Context } from '../../../../src/domain/core/context.ts';
import { createLoaders } from '../../../../src/graphql/data/loaders.ts';
import { schema } from '../../../../src/graphql/schema/schema.ts';
import { onOneStore, type TestOrganization } from '../../../support/service.ts';
import { statementsDuring } from '../../../support/stores/statements.ts';
import { viewerClient, WITH_FRAGMENT, WITHOUT_FRAGMENT } from './viewer-client.ts';

/** The tables that are read together with the key. */
const TABLES = [
  ...['api_key', 'organization', 'api_key_usage', 'api_key_scope_usage'],
  ...['api_key_operation_usage', 'api_key_failed_request'],
];

/** Matches the statement that looks up the API key of a request. */
const KEY_CHECK = /k\.hash = ANY/;

onOneStore((service) => {
  const { createOrganizationWithLists, query } = viewerClient(service);
  let organization: TestOrganization;
  beforeAll(async () => {
    organization = await createOrganizationWithLists(3);
  });

  it.each([
    ['without fragments', WITHOUT_FRAGMENT],
    ['with a fragment', WITH_FRAGMENT],
  ])('reads all fields in two statements after the key check, %s', async (_name, document) => {
    const statements = await statementsDuring(() => query(organization, document));
    expect(statements.filter((text) => KEY_CHECK.test(text))).toHaveLength(1);
    const [key = '', audit = '', ...others] = statements.filter((text) => !KEY_CHECK.test(text));
    expect(others).toEqual([]);
    for (const table of TABLES) {
      expect(key).toContain(`"public"."${table}"`);
    }
    expect(audit).toContain('"public"."audit_entry"');
  });

  it('reads the organization, the key and its usage in one statement after the key check', async () => {
    const document =
      '{ viewer { ...V } } fragment V on Viewer { organization { name } key { name usage { edges { cursor } } } }';
    expect(await statementsDuring(() => query(organization, document))).toHaveLength(2);
    expect(await statementsDuring(() => query(organization, '{ viewer { keyName } }'))).toHaveLength(2);
  });

  it('reads all fields in two statements if graphql-js executes the operation', async () => {
    const { store } = service;
    const { scopes } = await store.prisma.apiKey.findUniqueOrThrow({ where: { id: organization.keyId } });
    const caller: Caller = {
      keyId: organization.keyId,
      scopes: new Set(scopes) as Caller['scopes'],
      organization: { id: organization.id, country: 'US', timeZone: 'UTC' },
    };
    const domain: Context = {
      caller,
      db: store.db,
      cursorSecret: store.cursorSecret,
      origin: { api: 'graphql', requestId: 'test' },
    };
    const expected = (await query(organization, WITH_FRAGMENT)).json.data;
    for (const document of [WITH_FRAGMENT, WITHOUT_FRAGMENT]) {
      const context = {
        domain,
        loaders: createLoaders(domain),
        store,
        rateLimit: 1_000_000,
        writes: 0,
      };
      let result: unknown;
      const statements = await statementsDuring(async () => {
        result = await execute({ schema, document: parse(document), contextValue: context });
      });
      expect(JSON.parse(JSON.stringify(result))).toEqual({ data: expected });
      expect(statements).toHaveLength(2);
    }
  });

  it('restricts each statement to the organization, and selects no secret', async () => {
    const statements = await statementsDuring(() => query(organization, WITH_FRAGMENT));
    for (const text of statements.filter((text) => !KEY_CHECK.test(text))) {
      expect(text).toMatch(/WHERE .*"t0"\."organization_id" = \$\d/);
      expect(text).not.toMatch(/hash|prefix|created_by/);
    }
  });
});
