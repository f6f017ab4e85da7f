// Input of relay-compiler only, which writes its artifacts to `generated/relay`.
import { graphql } from 'relay-runtime';

graphql`
  query recordNameQuery($id: ID!) {
    node(id: $id) {
      ...recordName_node
    }
  }
`;

graphql`
  fragment recordName_node on Node @refetchable(queryName: "recordNameRefetchQuery") {
    __typename
    ... on Member {
      firstName
    }
    ... on Department {
      name
    }
  }
`;
