import { initGraphQLTada } from 'gql.tada';
import type { introspection } from '../generated/gql-tada/graphql-env.d.ts';

const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { Date: string; DateTime: string; JSON: unknown };
}>();

export const memberList = graphql(`
  query MemberList($first: Int) {
    members(first: $first) {
      edges {
        node {
          id
          gender
          dateOfBirth
          tags {
            name
          }
        }
      }
    }
  }
`);

export const clearAddress = graphql(`
  mutation ClearAddress($input: UpdateMemberInput!) {
    updateMember(input: $input) {
      member {
        id
        address
      }
    }
  }
`);
