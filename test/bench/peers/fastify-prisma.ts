import Fastify from 'fastify';
import type { NewMember } from '../works.ts';
import { createMember, prisma } from './prisma/client.ts';
import type { Prisma } from './prisma/generated/client.ts';

// Fastify and Prisma Client as usual: findMany with relations, and a function that maps the result.

const app = Fastify();
const include = { designation: { select: { name: true } } };

app.get<{ Querystring: { limit?: string; after?: string; q?: string } }>('/members', async ({ query }) => {
  const limit = Number(query.limit ?? 25);
  const rows = await prisma.member.findMany({
    where: {
      position: { gt: BigInt(query.after ?? 0) },
      ...(query.q === undefined ? {} : { searchText: { contains: query.q.toUpperCase() } }),
    },
    orderBy: { position: 'asc' },
    take: limit + 1,
    include,
  });
  const page = rows.slice(0, limit);
  return { data: page.map(present), next_cursor: rows.length > limit ? Number(page.at(-1)?.position) : null };
});

app.get<{ Params: { id: string } }>('/members/:id', async ({ params: { id } }, reply) => {
  const member = await prisma.member.findUnique({ where: { id }, include });
  return member ? { data: present(member) } : reply.code(404).send();
});

app.post<{ Body: NewMember }>('/members', async ({ body }, reply) => {
  const member = await createMember(body);
  return reply.code(201).send({ data: present({ ...member, designation: null }) });
});

function present(member: Prisma.MemberGetPayload<{ include: typeof include }>) {
  return {
    id: member.id,
    first_name: member.firstName,
    last_name: member.lastName,
    email_address: member.emailAddress,
    phone_number: member.phoneNumber,
    gender: member.gender,
    marital_status: member.maritalStatus,
    date_of_birth: member.dateOfBirth?.toISOString().slice(0, 10) ?? null,
    address: member.address,
    city: member.city,
    state: member.state,
    zip_code: member.zipCode,
    country: member.country,
    designation: member.designation?.name ?? null,
    is_guest: member.isGuest,
    created_at: member.createdAt,
    updated_at: member.updatedAt,
  };
}

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
