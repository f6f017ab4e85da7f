import { graphql } from '../generated/codegen/index.ts';

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
      pageInfo {
        endCursor
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
