import Fastify from 'fastify';
import mercurius, { type IResolvers, type MercuriusLoaders } from 'mercurius';
import type { NewMember } from '../workloads.ts';
import { insertMember } from './insert-member.ts';
import { MEMBER, MEMBER_COLUMNS, pool } from './pool.ts';

// Mercurius with its JIT, SQL in resolvers, and a loader for each relation.

const schema = `
  type Query {
    members(first: Int = 25, after: String, search: String): MemberConnection!
    member(id: ID!): Member
    departments(first: Int = 25, after: String): DepartmentConnection!
  }
  type Mutation { createMember(input: CreateMemberInput!): CreateMemberPayload! }
  type Member {
    id: ID! firstName: String! lastName: String! emailAddress: String! phoneNumber: String gender: String
    maritalStatus: String dateOfBirth: String address: String city: String state: String zipCode: String country: String
    designation: String isGuest: Boolean! createdAt: String! updatedAt: String! tags: [Tag!]!
  }
  type Tag { id: ID! name: String! color: String }
  type Department { id: ID! name: String! members(first: Int = 25): MemberConnection! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type MemberEdge { node: Member! }
  type MemberConnection { edges: [MemberEdge!]! pageInfo: PageInfo! }
  type DepartmentEdge { node: Department! }
  type DepartmentConnection { edges: [DepartmentEdge!]! pageInfo: PageInfo! }
  input CreateMemberInput {
    firstName: String! lastName: String! emailAddress: String! phoneNumber: String! gender: String! dateOfBirth: String!
    address: String! city: String! state: String! zipCode: String! country: String!
  }
  type CreateMemberPayload { member: Member! }`;

declare module 'mercurius' {
  interface MercuriusContext {
    readonly organization: string;
  }
}

interface Row {
  readonly id: string;
  readonly position: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly [column: string]: unknown;
}

const resolvers: IResolvers = {
  Query: {
    members: async (_root, { first, after, search }, { organization }) => {
      const { rows } = await pool.query<Row>(
        `SELECT ${MEMBER_COLUMNS} FROM ${MEMBER}
         WHERE m.organization_id = $1 AND m.position > $2 ${search ? 'AND m.search_text LIKE $4' : ''}
         ORDER BY m.position LIMIT $3`,
        [organization, Number(after ?? 0), first + 1, ...(search ? [`%${search.toUpperCase()}%`] : [])],
      );
      return connection(rows, first, toMember);
    },
    member: async (_root, { id }, { organization }) => {
      const { rows } = await pool.query<Row>(
        `SELECT ${MEMBER_COLUMNS} FROM ${MEMBER} WHERE m.organization_id = $1 AND m.id = $2`,
        [organization, id],
      );
      return rows[0] && toMember(rows[0]);
    },
    departments: async (_root, { first, after }, { organization }) => {
      const { rows } = await pool.query<Row>(
        `SELECT id, name, position FROM department WHERE organization_id = $1 AND position > $2
         ORDER BY position LIMIT $3`,
        [organization, Number(after ?? 0), first + 1],
      );
      return connection(rows, first, (row) => row);
    },
  },
  Mutation: {
    createMember: async (_root, { input }, { organization }) => ({
      member: toMember((await insertMember(organization, toBody(input))) as Row),
    }),
  },
};

// The cache of loaders would only compare large objects: no record is loaded twice here.
const opts = { cache: false };
const loaders: MercuriusLoaders = {
  Department: {
    members: {
      opts,
      loader: async (queries, { organization }) => {
        const first = queries[0]?.params.first;
        const { rows } = await pool.query<Row>(
          `SELECT asked.id AS department_id, listed.*
           FROM unnest($2::text[]) AS asked (id) CROSS JOIN LATERAL (
             SELECT ${MEMBER_COLUMNS.replace('m.position', 'dm.position')}
             FROM department_member dm JOIN (${MEMBER}) ON m.organization_id = dm.organization_id AND m.id = dm.member_id
             WHERE dm.organization_id = $1 AND dm.department_id = asked.id ORDER BY dm.position LIMIT $3
           ) AS listed`,
          [organization, queries.map(({ obj }) => obj.id), first + 1],
        );
        const byDepartment = groupBy(rows, 'department_id');
        return queries.map(({ obj }) => connection(byDepartment.get(obj.id) ?? [], first, toMember));
      },
    },
  },
  Member: {
    tags: {
      opts,
      loader: async (queries, { organization }) => {
        const { rows } = await pool.query(
          `SELECT mt.member_id, t.id, t.name, t.color
           FROM member_tag mt JOIN tag t ON t.organization_id = mt.organization_id AND t.id = mt.tag_id
           WHERE mt.organization_id = $1 AND mt.member_id = ANY ($2) AND t.source = 'admin' AND t.privacy = 'public'
           ORDER BY t.position`,
          [organization, queries.map(({ obj }) => obj.id)],
        );
        const byMember = groupBy(rows, 'member_id');
        return queries.map(({ obj }) => byMember.get(obj.id) ?? []);
      },
    },
  },
};

function groupBy(rows: readonly Row[], column: string): Map<unknown, Row[]> {
  const groups = new Map<unknown, Row[]>();
  for (const row of rows) {
    const group = groups.get(row[column]);
    if (group) group.push(row);
    else groups.set(row[column], [row]);
  }
  return groups;
}

function connection(rows: readonly Row[], first: number, toNode: (row: Row) => object): object {
  const page = rows.slice(0, first);
  return {
    edges: page.map((row) => ({ node: toNode(row) })),
    pageInfo: { hasNextPage: rows.length > first, endCursor: page.at(-1)?.position },
  };
}

function toMember(row: Row): object {
  return {
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    emailAddress: row.email_address,
    phoneNumber: row.phone_number,
    gender: row.gender,
    maritalStatus: row.marital_status,
    dateOfBirth: row.date_of_birth,
    address: row.address,
    city: row.city,
    state: row.state,
    zipCode: row.zip_code,
    country: row.country,
    designation: row.designation,
    isGuest: row.is_guest,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function toBody(input: Record<string, string>): NewMember {
  const fields = Object.entries(input).map(([name, value]) => [
    name.replace(/[A-Z]/g, (one) => `_${one.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(fields);
}

const app = Fastify();
app.register(mercurius, {
  schema,
  resolvers,
  loaders,
  jit: 1,
  context: ({ headers }) => ({ organization: headers['x-organization'] as string }),
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
