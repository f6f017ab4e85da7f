// Input of relay-compiler only, which writes its artifacts to `generated/relay`.
import { graphql } from 'relay-runtime';

graphql`
  query departmentRosterQuery($count: Int!) {
    departments(first: 1) {
      edges {
        node {
          ...departmentRoster_department @arguments(count: $count)
        }
      }
    }
  }
`;

graphql`
  fragment departmentRoster_department on Department
  @argumentDefinitions(count: { type: "Int" }, cursor: { type: "String" })
  @refetchable(queryName: "departmentRosterPaginationQuery") {
    memberIds
    members(first: $count, after: $cursor) @connection(key: "departmentRoster_members") {
      edges {
        node {
          id
        }
      }
    }
  }
`;
