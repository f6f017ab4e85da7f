import { createServer } from 'node:http';
import SchemaBuilder from '@pothos/core';
import PrismaPlugin, { prismaConnectionHelpers } from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import { createYoga } from 'graphql-yoga';
import { createMember, prisma } from './prisma/client.ts';
import type PrismaTypes from './prisma/generated/pothos-types.ts';
import { getDatamodel } from './prisma/generated/pothos-types.ts';

// GraphQL Yoga, Pothos and its Prisma plugin as in its guide: prismaObject, prismaConnection, prismaField.

const builder = new SchemaBuilder<{ PrismaTypes: PrismaTypes }>({
  plugins: [PrismaPlugin, RelayPlugin],
  prisma: { client: prisma, dmmf: getDatamodel() },
  relay: {},
});

const Tag = builder.prismaObject('Tag', {
  fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name'), color: t.exposeString('color') }),
});

const Member = builder.prismaObject('Member', {
  fields: (t) => ({
    id: t.exposeID('id'),
    firstName: t.exposeString('firstName'),
    lastName: t.exposeString('lastName'),
    emailAddress: t.exposeString('emailAddress'),
    phoneNumber: t.exposeString('phoneNumber'),
    gender: t.exposeString('gender'),
    maritalStatus: t.exposeString('maritalStatus'),
    dateOfBirth: t.string({
      select: { dateOfBirth: true },
      resolve: ({ dateOfBirth }) => dateOfBirth?.toISOString().slice(0, 10),
    }),
    address: t.exposeString('address'),
    city: t.exposeString('city'),
    state: t.exposeString('state'),
    zipCode: t.exposeString('zipCode'),
    country: t.exposeString('country'),
    designation: t.string({
      select: { designation: { select: { name: true } } },
      resolve: ({ designation }) => designation?.name,
    }),
    isGuest: t.exposeBoolean('isGuest'),
    createdAt: t.string({ select: { createdAt: true }, resolve: ({ createdAt }) => createdAt.toISOString() }),
    updatedAt: t.string({ select: { updatedAt: true }, resolve: ({ updatedAt }) => updatedAt.toISOString() }),
    tags: t.field({
      type: [Tag],
      select: (_args, _context, nested) => ({
        tags: {
          where: { tag: { source: 'admin', privacy: 'public' } },
          orderBy: { tag: { position: 'asc' as const } },
          select: { tag: nested(true) },
        },
      }),
      resolve: ({ tags }) => tags.map(({ tag }) => tag),
    }),
  }),
});

const roster = prismaConnectionHelpers(builder, 'DepartmentMember', {
  cursor: 'position',
  query: { orderBy: { position: 'asc' } },
  select: (nested) => ({ member: nested({}) }),
  resolveNode: ({ member }) => member,
});

builder.prismaObject('Department', {
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    members: t.connection({
      type: Member,
      select: (args, context, nested) => ({ members: roster.getQuery(args, context, nested) }),
      resolve: ({ members }, args, context) => roster.resolve(members, args, context),
    }),
  }),
});

builder.queryType({
  fields: (t) => ({
    members: t.prismaConnection({
      type: 'Member',
      cursor: 'position',
      args: { search: t.arg.string() },
      maxSize: 100,
      resolve: (query, _root, { search }) =>
        prisma.member.findMany({
          ...query,
          where: search ? { searchText: { contains: search.toUpperCase() } } : {},
          orderBy: { position: 'asc' },
        }),
    }),
    member: t.prismaField({
      type: 'Member',
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (query, _root, { id }) => prisma.member.findUnique({ ...query, where: { id } }),
    }),
    departments: t.prismaConnection({
      type: 'Department',
      cursor: 'position',
      resolve: (query) => prisma.department.findMany({ ...query, orderBy: { position: 'asc' } }),
    }),
  }),
});

const CreateMemberInput = builder.inputType('CreateMemberInput', {
  fields: (t) => ({
    firstName: t.string({ required: true }),
    lastName: t.string({ required: true }),
    emailAddress: t.string({ required: true }),
    phoneNumber: t.string({ required: true }),
    gender: t.string({ required: true }),
    dateOfBirth: t.string({ required: true }),
    address: t.string({ required: true }),
    city: t.string({ required: true }),
    state: t.string({ required: true }),
    zipCode: t.string({ required: true }),
    country: t.string({ required: true }),
  }),
});

const CreateMemberPayload = builder
  .objectRef<{ member: Awaited<ReturnType<typeof createMember>> }>('CreateMemberPayload')
  .implement({ fields: (t) => ({ member: t.field({ type: Member, resolve: ({ member }) => member }) }) });

builder.mutationType({
  fields: (t) => ({
    createMember: t.field({
      type: CreateMemberPayload,
      args: { input: t.arg({ type: CreateMemberInput, required: true }) },
      resolve: async (_root, { input }) => ({
        member: await createMember({
          first_name: input.firstName,
          last_name: input.lastName,
          email_address: input.emailAddress,
          phone_number: input.phoneNumber,
          gender: input.gender,
          date_of_birth: input.dateOfBirth,
          address: input.address,
          city: input.city,
          state: input.state,
          zip_code: input.zipCode,
          country: input.country,
        }),
      }),
    }),
  }),
});

const yoga = createYoga({ schema: builder.toSchema(), logging: false, maskedErrors: false });
createServer(yoga).listen(Number(process.env.PORT), '127.0.0.1');
