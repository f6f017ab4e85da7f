import { createServer, type Server } from 'node:http';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { createYoga } from 'graphql-yoga';

/** A third-party subgraph of attendance records, which adds a field to the service's members. */
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

/** A stored attendance, which refers to the member by id only. */
export interface Attendance {
  readonly day: string;
  readonly memberId: string;
}

/** Creates the subgraph's server. */
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
