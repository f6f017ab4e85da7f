// Input of relay-compiler only, which writes its artifacts to `generated/relay`.
import { graphql } from 'relay-runtime';

graphql`
  query memberListQuery($count: Int!) {
    ...memberList_query @arguments(count: $count)
  }
`;

graphql`
  fragment memberList_query on Query
  @argumentDefinitions(count: { type: "Int" }, cursor: { type: "String" })
  @refetchable(queryName: "memberListPaginationQuery") {
    members(first: $count, after: $cursor) @connection(key: "memberList_members") {
      edges {
        node {
          id
          firstName
        }
      }
    }
  }
`;
