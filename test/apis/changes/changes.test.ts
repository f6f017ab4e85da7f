import { beforeAll, describe, expect, it } from 'vitest';
import { ALL_SCOPES, type Scope } from '../../../src/domain/core/scopes.ts';
import { ENTITIES, type EntityName } from '../../../src/domain/entities/registry.ts';
import { importText, ndjson } from '../../import-export/imports.ts';
import { changesAfter } from '../../support/changes.ts';
import { expectError } from '../../support/contract.ts';
import { codesIn, graphql } from '../../support/graphql.ts';
import { onOneDatabase, type TestOrganization } from '../../support/service.ts';
import { feedOf } from './feed.ts';

const RESOURCES = Object.keys(ENTITIES) as EntityName[];

onOneDatabase((service) => {
  it.each(RESOURCES)('returns each change of %s once', async (name) => {
    const { organization, news, create, run } = await feedOf(service);
    const id = await create[name]();
    expect((await news()).filter((change) => change.includes(` ${name} `))).toEqual([`created ${name} ${id}`]);
    const { table } = ENTITIES[name].entity;
    const ofOrganization = `organization_id = '${organization.id}'`;
    await run(`UPDATE ${table} SET organization_id = organization_id WHERE ${ofOrganization}`);
    await run(`UPDATE ${table} SET organization_id = organization_id WHERE ${ofOrganization}`);
    expect(await news()).toEqual([`updated ${name} ${id}`]);
    await run(`DELETE FROM ${table} WHERE ${ofOrganization}`);
    expect(await news()).toEqual([`removed ${name} ${id}`]);
    expect(await news()).toEqual([]);
  });

  it('returns the parent record of a changed row, but no deleted record', async () => {
    const { organization, records, news, member, run } = await feedOf(service);
    const [one, tag, form] = [await member(), await records.tag(), await records.form()];
    const department = await records.department();
    const response = await records.formResponse(form.id);
    await news();
    await organization.patch(`/members/${one}/tags`, { add: [tag.id] });
    expect(await news()).toEqual([`updated members ${one}`]);
    await run(`INSERT INTO department_member VALUES ('${organization.id}', '${department.id}', '${one}')`);
    await records.formField(form.id);
    expect(await news()).toEqual([`updated departments ${department.id}`, `updated forms ${form.id}`]);
    await run(`DELETE FROM form WHERE organization_id = '${organization.id}'`);
    await run(`DELETE FROM member WHERE organization_id = '${organization.id}'`);
    expect((await news()).sort()).toEqual(
      [
        `removed form_responses ${response.id}`,
        `removed forms ${form.id}`,
        `removed members ${one}`,
        `updated departments ${department.id}`,
      ].sort(),
    );
  });

  it('returns a record that contains the name of another one when that is renamed', async () => {
    const { organization, records, news, member, run } = await feedOf(service);
    const [head, usher] = [await member(), await records.designation()];
    const department = await records.department({ headId: head });
    await organization.patch(`/members/${head}`, { designation_id: usher.id });
    await news();
    await organization.patch(`/members/${head}`, { first_name: 'Zoe' });
    expect(await news()).toEqual([`updated members ${head}`, `updated departments ${department.id}`]);
    await organization.patch(`/members/${head}`, { city: 'Troy' });
    expect(await news()).toEqual([`updated members ${head}`]);
    await run(`UPDATE designation SET name = 'Deacon' WHERE organization_id = '${organization.id}'`);
    expect(await news()).toEqual([`updated designations ${usher.id}`, `updated members ${head}`]);
  });

  it('returns tags while they are assignable', async () => {
    const { organization, records, news, run } = await feedOf(service);
    await records.tag({ privacy: 'private' });
    const tag = await records.tag({ source: 'system' });
    expect(await news()).toEqual([]);
    const set = (change: string) => run(`UPDATE tag SET ${change} WHERE id = '${tag.id}'`);
    await set(`source = 'admin'`);
    expect(await news()).toEqual([`created tags ${tag.id}`]);
    await set(`name = 'Band'`);
    expect(await news()).toEqual([`updated tags ${tag.id}`]);
    await set(`privacy = 'private'`);
    expect(await news()).toEqual([`removed tags ${tag.id}`]);
    await run(`DELETE FROM tag WHERE organization_id = '${organization.id}'`);
    expect(await news()).toEqual([]);
  });

  it('orders records by their latest change, and returns each once', async () => {
    const { organization, news, member } = await feedOf(service);
    const [one, two, three] = [await member(), await member(), await member()];
    await organization.patch(`/members/${one}`, { city: 'Troy' });
    await organization.patch(`/members/${one}`, { city: 'Rome' });
    expect(await news()).toEqual([`created members ${two}`, `created members ${three}`, `updated members ${one}`]);
  });

  it('returns the same pages and cursors in both APIs, including a cursor on last and empty pages', async () => {
    const { organization, member } = await feedOf(service);
    for (let count = 0; count < 5; count++) await member();
    const query = graphql(service.app, organization.key);
    let cursor: string | null = null;
    for (const length of [2, 2, 1, 0, 0]) {
      const rest = await organization.get(`/changes?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
      const { changes } = (
        await query(
          `query ($after: String) { changes(first: 2, after: $after) {
            edges { cursor node { resource id operation at } } nodes { id }
            pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
          { after: cursor },
        )
      ).json.data;
      expect(rest.json.data).toHaveLength(length);
      expect(changes.edges.map(({ node }: { node: unknown }) => node)).toEqual(rest.json.data);
      expect(changes.nodes).toEqual(rest.json.data.map(({ id }: { id: string }) => ({ id })));
      const { next_cursor: next, has_more: hasMore } = rest.json.pagination;
      expect(changes.pageInfo).toMatchObject({
        hasNextPage: hasMore,
        hasPreviousPage: cursor !== null,
        endCursor: next,
      });
      if (length > 0) expect(changes.edges.at(-1).cursor).toBe(next);
      else expect(next).toBe(cursor);
      cursor = next;
    }
  });

  it('returns a cursor before the first change', async () => {
    const { organization, member } = await feedOf(service);
    const { changes, cursor } = await changesAfter(organization, undefined);
    expect(changes).toEqual([]);
    const id = await member();
    expect((await changesAfter(organization, cursor)).changes).toMatchObject([{ id }]);
  });

  it('loads the records of changes in the same operation; deleted records are null', async () => {
    const { organization, create, run } = await feedOf(service);
    const ids = new Map<EntityName, string | number>();
    for (const name of RESOURCES) ids.set(name, await create[name]());
    // Tags: no record of another entity can refer to them.
    await run(`DELETE FROM tag WHERE organization_id = '${organization.id}'`);
    const answer = await graphql(
      service.app,
      organization.key,
    )('{ changes(first: 100) { nodes { resource id operation record { __typename id } } } }');
    const nodes: Record<string, never>[] = answer.json.data.changes.nodes;
    for (const [name, id] of ids) {
      const { name: type } = ENTITIES[name].entity;
      const node = name === 'forms' ? `form_${id}` : id;
      const record = name === 'tags' ? null : { __typename: type, id: node };
      const operation = name === 'tags' ? 'removed' : 'created';
      expect(nodes).toContainEqual({ resource: name, id: node, operation, record });
    }
    expect(answer.json.extensions.rateLimit.cost).toBe(2);
  });

  describe('with missing scopes', () => {
    const all = async (organization: TestOrganization) => {
      const names = (await changesAfter(organization, undefined)).changes.map(({ resource }) => resource);
      return [...new Set(names)].sort();
    };

    let organization: TestOrganization;
    beforeAll(async () => {
      const feed = await feedOf(service);
      for (const one of RESOURCES) await feed.create[one]();
      organization = feed.organization;
    });

    it.each(RESOURCES)('returns %s only to a key with the scope of their list', async (name) => {
      const { scope } = ENTITIES[name].entity;
      const others = await organization.withScopes(...ALL_SCOPES.filter((one) => one !== scope));
      const alone = await organization.withScopes(scope);
      const withScope = RESOURCES.filter((one) => ENTITIES[one].entity.scope === scope).sort();
      expect(await all(alone)).toEqual(withScope);
      expect(await all(others)).toEqual(RESOURCES.filter((one) => !withScope.includes(one)).sort());
      expectError(await others.get(`/changes?resources=${name}`), 403, 'missing_scope');
      const refused = await graphql(service.app, others.key)(`{ changes(resources: [${name}]) { nodes { id } } }`);
      expect(codesIn(refused)).toEqual(['missing_scope']);
      expect((await alone.get(`/changes?resources=${name}`)).json.data.length).toBeGreaterThan(0);
    });

    it('rejects a key that can read no resource', async () => {
      const writer = await service.organization({ scopes: ['members.create'] as Scope[] });
      expectError(await writer.get('/changes?limit=0'), 403, 'missing_scope');
    });
  });

  it('returns only changes of the organization, and accepts only its cursors', async () => {
    const [one, other] = [await feedOf(service), await feedOf(service)];
    await one.member();
    const { cursor } = await changesAfter(one.organization, undefined);
    expect((await changesAfter(other.organization, undefined)).changes).toEqual([]);
    expectError(await other.organization.get(`/changes?cursor=${cursor}`), 400, 'invalid_cursor');
  });

  it('rejects a cursor that is ahead of the database, which has lost changes', async () => {
    const { organization, member, run } = await feedOf(service);
    await member();
    const { cursor } = await changesAfter(organization, undefined);
    await run(
      `UPDATE organization_counter SET last_number = last_number - 1 WHERE organization_id = '${organization.id}'`,
    );
    expectError(await organization.get(`/changes?cursor=${cursor}`), 400, 'invalid_cursor');
  });

  it('accepts a cursor for the same resources in any order, through any key with their scopes', async () => {
    const { organization } = await feedOf(service);
    const cursorOf = async (query: string) => (await organization.get(`/changes?${query}`)).json.pagination.next_cursor;
    const some = await cursorOf('resources=members,tags');
    const [all, members] = await Promise.all([cursorOf(''), organization.withScopes('members.view', 'tags.view')]);
    expect((await members.get(`/changes?resources=tags&resources=members&cursor=${some}`)).status).toBe(200);
    expectError(await members.get(`/changes?cursor=${all}`), 400, 'invalid_cursor');
    for (const query of [`cursor=${some}`, `cursor=${all}&resources=tags`, 'cursor=x', `cursor=${all}A`]) {
      expectError(await organization.get(`/changes?${query}`), 400, 'invalid_cursor');
    }
    const { json } = await organization.get('/tags?limit=1');
    expect(json.data).toEqual([]);
    expectError(await organization.get(`/tags?cursor=${all}`), 400, 'invalid_cursor');
  });

  /** A member with an imported tag. */
  async function taggedMember() {
    const { organization, news, member } = await feedOf(service);
    const id = await member();
    const importTag = (fields: object) =>
      importText(service.store, organization.id, 'tags.ndjson', ndjson({ external_id: 'choir', ...fields }));
    await importTag({ name: 'Choir' });
    const [tag] = (await organization.get('/tags')).json.data;
    await organization.patch(`/members/${id}/tags`, { add: [tag.id] });
    await news();
    return { organization, news, id, tag, importTag };
  }

  it('returns the members of a tag that an import makes private, and public again', async () => {
    const { organization, news, id, tag, importTag } = await taggedMember();
    /** What the query of docs/sync.md stores of the member. */
    const tags = async () =>
      (await graphql(service.app, organization.key)(`{ node(id: "${id}") { ... on Member { tags { id } } } }`)).json
        .data.node.tags;
    for (const [privacy, operation, shown] of [
      ['private', 'removed', []],
      ['public', 'created', [{ id: tag.id }]],
    ] as const) {
      await importTag({ privacy });
      expect(await tags()).toEqual(shown);
      expect((await news()).sort()).toEqual([`${operation} tags ${tag.id}`, `updated members ${id}`].sort());
    }
  });
});
