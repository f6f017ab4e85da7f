import { beforeAll, describe, expect, it } from 'vitest';
import { appOn } from '../../support/apps.ts';
import { person } from '../../support/data.ts';
import { type GraphQLClient, graphql } from '../../support/graphql.ts';
import { recordsOf } from '../../support/records.ts';
import { onOneStore } from '../../support/service.ts';
import { differenceInGraphQL } from './differences.ts';

const PREFLIGHT = { Preflight: 'true' };

/** A tag field that requires `members.view`, and a member field with invalid arguments. */
const BELOW = '__typename ... on Tag { members(first: 0) { nodes { id } } } ... on Member { departments { id } }';

onOneStore((service) => {
  describe('a preflight of records by id, some of types whose scope the key lacks', () => {
    let ask: GraphQLClient;
    let variables: Record<string, unknown>;

    beforeAll(async () => {
      const organization = await service.organization();
      const member: string = (await organization.post('/members', person())).json.data.id;
      const { id: tag } = await recordsOf(service, organization.id).tag();
      const { key } = await organization.withScopes('tags.view', 'prayer_requests.view');
      ask = graphql(appOn(service, { federation: true }), key);
      const representations = [
        { __typename: 'Member', id: member },
        { __typename: 'Tag', id: tag },
        { __typename: 'Tag', id: 'unknown' },
      ];
      variables = {
        ids: [member, tag, 'unknown'],
        if: null,
        ofMember: [member],
        member,
        tag,
        representations,
        ofTags: representations.slice(1),
        ofWrongType: [...representations, { __typename: 'Tag', id: member }],
      };
    });

    const pathsOf = async (query: string) => {
      const { preflight } = (await ask(query, variables, PREFLIGHT)).json.extensions;
      return preflight.refusals.map(
        ({ path, extensions }: { path: string[]; extensions: { code: string } }) =>
          `${path.join('.')} ${extensions.code}`,
      );
    };

    it.each([
      [
        'nodes',
        `query ($ids: [ID!]!) { nodes(ids: $ids) { ${BELOW} } }`,
        ['nodes missing_scope', 'nodes not_found', 'nodes.members missing_scope'],
      ],
      [
        'nodes without a record',
        `query ($ofMember: [ID!]!) { nodes(ids: $ofMember) { ${BELOW} } }`,
        ['nodes missing_scope'],
      ],
      [
        'aliases',
        `query ($ids: [ID!]!, $ofMember: [ID!]!) { a: nodes(ids: $ofMember) { ${BELOW} } b: nodes(ids: $ids) { ${BELOW} } }`,
        ['a missing_scope', 'b missing_scope', 'b not_found', 'b.members missing_scope'],
      ],
      [
        'node',
        `query ($member: ID!, $tag: ID!) { a: node(id: $member) { ${BELOW} } b: node(id: $tag) { ${BELOW} } }`,
        ['a missing_scope', 'b.members missing_scope'],
      ],
      [
        '_entities',
        `query ($representations: [_Any!]!) { _entities(representations: $representations) { ${BELOW} } }`,
        ['_entities missing_scope', '_entities.members missing_scope'],
      ],
      [
        '_entities of tags only',
        `query ($ofTags: [_Any!]!) { _entities(representations: $ofTags) { ${BELOW} } }`,
        ['_entities.members missing_scope'],
      ],
      [
        '_entities with an id of another type',
        `query ($ofWrongType: [_Any!]!) { _entities(representations: $ofWrongType) { ${BELOW} } }`,
        ['_entities missing_scope', '_entities invalid_request', '_entities.members missing_scope'],
      ],
      [
        'mutations, of which one is refused',
        `mutation { a: createMember(input: { firstName: "A", lastName: "B", emailAddress: "a@b.example" }) { member { tags { id } } }
          b: submitPrayerRequest(input: { description: "text" }) { prayerRequest { id } } }`,
        ['a missing_scope', 'b missing_scope'],
      ],
    ])('reports the errors of %s and of fields below the records that are read', async (_name, query, expected) => {
      expect((await pathsOf(query)).sort()).toEqual([...expected].sort());
      expect(await differenceInGraphQL(ask, { query, variables } as never)).toEqual({ isRefused: true });
    });

    it('reports directives only in selections of records that are read', async () => {
      const query = (type: string) =>
        `query ($ids: [ID!]!, $if: Boolean = true) { nodes(ids: $ids) { ... on ${type} { id @include(if: $if) } } }`;
      const countOf = async (type: string) => (await pathsOf(query(type))).length;
      expect([await countOf('Member'), await countOf('Tag')]).toEqual([2, 3]);
    });
  });
});
