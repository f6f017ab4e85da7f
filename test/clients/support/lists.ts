import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { parse } from 'graphql';

/** A connection as selected by the documents below. */
export interface Connection {
  edges: { node: { id: string } }[];
  pageInfo: { endCursor: string; hasNextPage: boolean };
}

interface Page {
  first: number;
  after?: string | undefined;
}

/** A list at the root. */
export const MEMBERS = parse(`
  query Members($first: Int, $after: String) {
    members(first: $first, after: $after) {
      edges { node { id firstName } }
      pageInfo { endCursor hasNextPage }
    }
  }
`) as TypedDocumentNode<{ members: Connection }, Page>;

/** A nested list of a record, found by its id. */
export const ROSTER = parse(`
  query Roster($id: ID!, $first: Int, $after: String) {
    node(id: $id) {
      id
      ... on Department {
        memberIds
        members(first: $first, after: $after) {
          edges { node { id } }
          pageInfo { endCursor hasNextPage }
        }
      }
    }
  }
`) as TypedDocumentNode<{ node: { memberIds: string[]; members: Connection } }, Page & { id: string }>;

/** The ids of the records on a page. */
export function idsOf(connection: { edges: readonly { node: { id: string } }[] } | null | undefined) {
  return connection?.edges.map(({ node }) => node.id);
}
