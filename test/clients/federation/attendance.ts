import { createServer, type Server } from 'node:http';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { createYoga } from 'graphql-yoga';

/** A subgraph of somebody else: who attended when. It adds a field to the members of the service. */
export const ATTENDANCE = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])

  type Query {
    attendances: [Attendance!]!
  }

  type Attendance {
    day: String!
    member: Member
  }

  type Member @key(fields: "id") {
    id: ID!
    attendances: [Attendance!]!
  }
`);

/** An attendance as it is stored: the member by its id alone. */
export interface Attendance {
  readonly day: string;
  readonly memberId: string;
}

/** Creates a server of the subgraph. */
export function createAttendance(attendances: readonly Attendance[]): Server {
  const schema = buildSubgraphSchema({
    typeDefs: ATTENDANCE,
    resolvers: {
      Query: { attendances: () => attendances },
      Attendance: { member: ({ memberId }: Attendance) => ({ id: memberId }) },
      Member: { attendances: ({ id }: { id: string }) => attendances.filter(({ memberId }) => memberId === id) },
    },
  });
  return createServer(createYoga({ schema, graphiql: false, logging: false }));
}
