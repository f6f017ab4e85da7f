import type { InputFieldBuilder } from '@pothos/core';
import { createMember } from '../../domain/create-member.ts';
import { type Gender, getMember, listMembers, type Member } from '../../domain/member.ts';
import { tag } from '../../domain/tag.ts';
import { updateMember } from '../../domain/update-member.ts';
import type { GraphQLContext } from '../data/context.ts';
import { readRecord, readRecords } from '../data/read.ts';
import { runMutation } from '../data/run-mutation.ts';
import { nestedList } from '../execution/field-extensions.ts';
import { type InCamelCase, toCamelCase, toSnakeCase } from '../execution/naming.ts';
import { typeOf } from './add-entity.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { addRootList } from './connection.ts';
import { DepartmentType, MemberType } from './type-refs.ts';

const GenderType = builder.enumType('Gender', {
  description: 'The genders of members, with the same values as in REST.',
  values: {
    Male: { value: 'Male', description: 'Male.' },
    Female: { value: 'Female', description: 'Female.' },
    Others: { value: 'Others', description: 'Other genders.' },
  } satisfies Record<Gender, { value: Gender; description: string }>,
});

builder.objectType(MemberType, {
  description:
    'A member of the organization. A person who is a member of several organizations has the same id in each of them, but otherwise separate data.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The person’s id, the same as in REST.' }),
    firstName: t.exposeString('firstName', { description: 'Given name.' }),
    lastName: t.exposeString('lastName', { description: 'Family name.' }),
    emailAddress: t.exposeString('emailAddress', { description: 'Email address, in lower case.' }),
    phoneNumber: t.exposeString('phoneNumber', {
      nullable: true,
      description: 'Phone number in E.164 format. An extension is appended as `;ext=`.',
    }),
    gender: t.expose('gender', { type: GenderType, nullable: true, description: 'Gender.' }),
    maritalStatus: t.exposeString('maritalStatus', { nullable: true, description: 'Marital status, free text.' }),
    dateOfBirth: t.expose('dateOfBirth', { type: 'Date', nullable: true, description: 'Date of birth.' }),
    address: t.exposeString('address', { nullable: true, description: 'Street and number.' }),
    city: t.exposeString('city', { nullable: true, description: 'City.' }),
    state: t.exposeString('state', { nullable: true, description: 'State or province.' }),
    zipCode: t.exposeString('zipCode', { nullable: true, description: 'Postal code.' }),
    country: t.exposeString('country', { nullable: true, description: 'Country, free text.' }),
    designation: t.exposeString('designation', {
      nullable: true,
      description: 'The name of the member’s designation.',
    }),
    isGuest: t.exposeBoolean('isGuest', { description: 'Whether the member is a guest.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the member was added to the organization.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the member was last updated.' }),
    tags: t.field({
      type: [typeOf(tag)],
      nullable: true,
      description:
        'The assignable tags of the member. Scope: `tags.view`. Costs one point per selection, regardless of the number of members.',
      ...nestedList(({ loaders }: GraphQLContext) => loaders.tagsOfMember),
      resolve: ({ id }, _args, { loaders }, info) => readRecords(loaders.tagsOfMember, id, info),
    }),
    departments: t.field({
      type: [DepartmentType],
      nullable: true,
      description:
        'The departments of the member. Scope: `departments.view`. Costs one point per selection, regardless of the number of members.',
      ...nestedList(({ loaders }: GraphQLContext) => loaders.departmentsOfMember),
      resolve: ({ id }, _args, { loaders }, info) => readRecords(loaders.departmentsOfMember, id, info),
    }),
  }),
});

/** A page of members, of the organization or of a department. */
export const MemberConnectionType = addRootList(MemberType, {
  name: 'members',
  one: 'A member',
  many: 'members',
  list: listMembers,
  description: 'The members of the organization, in the order in which they were added. Scope: `members.view`.',
  search:
    'Returns only members for whom each word of this text occurs in the first or last name, phone number, email address or address.',
});

builder.queryFields((t) => ({
  member: t.field({
    type: MemberType,
    nullable: true,
    description:
      'The member with this id. If it does not exist: null, with the error `not_found`. Scope: `members.view`.',
    args: { id: t.arg.id({ required: true, description: 'The member’s id.' }) },
    resolve: (_root, { id }, context, info) => readRecord(context, getMember, { id }, info),
  }),
}));

/** The input fields that are optional both for creating and for updating a member. */
const optionalMemberFields = (t: InputFieldBuilder<SchemaTypes, 'InputObject'>) => ({
  phoneNumber: t.string({
    description: 'Phone number. Without a country code, it is parsed as a number of the organization’s country.',
  }),
  gender: t.field({ type: GenderType, description: 'Gender.' }),
  maritalStatus: t.string({ description: 'Marital status, free text.' }),
  address: t.string({ description: 'Street and number.' }),
  city: t.string({ description: 'City.' }),
  state: t.string({ description: 'State or province.' }),
  zipCode: t.string({ description: 'Postal code.' }),
  country: t.string({ description: 'Country, free text.' }),
  designationId: t.id({ description: 'The id of a designation of the organization.' }),
});

const CreateMemberInput = builder.inputType('CreateMemberInput', {
  description: 'A new member.',
  fields: (t) => ({
    firstName: t.string({ required: true, description: 'Given name.' }),
    lastName: t.string({ required: true, description: 'Family name.' }),
    emailAddress: t.string({
      required: true,
      description:
        'Email address. If it belongs to a member of another organization, the new member gets the same id; data of the other organization is not shared.',
    }),
    dateOfBirth: t.field({ type: 'Date', description: 'Date of birth. It cannot be updated later.' }),
    ...optionalMemberFields(t),
  }),
});

const UpdateMemberInput = builder.inputType('UpdateMemberInput', {
  description: 'The fields of a member to update. Omitted fields are unchanged; null clears an optional field.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The member’s id.' }),
    firstName: t.string({ description: 'Given name. Cannot be null or blank.' }),
    lastName: t.string({ description: 'Family name. Cannot be null or blank.' }),
    emailAddress: t.string({ description: 'Email address. Cannot be null.' }),
    ...optionalMemberFields(t),
  }),
});

const CreateMemberPayload = builder.objectRef<{ member: InCamelCase<Member> }>('CreateMemberPayload').implement({
  description: 'The result of `createMember`.',
  fields: (t) => ({
    member: t.field({ type: MemberType, description: 'The new member.', resolve: ({ member }) => member }),
  }),
});

const UpdateMemberPayload = builder.objectRef<{ member: InCamelCase<Member> }>('UpdateMemberPayload').implement({
  description: 'The result of `updateMember`.',
  fields: (t) => ({
    member: t.field({ type: MemberType, description: 'The member after the update.', resolve: ({ member }) => member }),
  }),
});

builder.mutationFields((t) => ({
  createMember: t.field({
    type: CreateMemberPayload,
    nullable: true,
    description:
      'Creates a member. Errors: `member_exists`, `org_limit_reached` (a person can be a member of at most three organizations). Scope: `members.create`.',
    args: { input: t.arg({ type: CreateMemberInput, required: true, description: 'The new member.' }) },
    resolve: async (_root, { input }, context) => ({
      member: toCamelCase(await runMutation(context, createMember, toSnakeCase(input))),
    }),
  }),
  updateMember: t.field({
    type: UpdateMemberPayload,
    nullable: true,
    description: 'Updates a member. Errors: `not_found`, `email_in_use`. Scope: `members.update`.',
    args: {
      input: t.arg({
        type: UpdateMemberInput,
        required: true,
        description: 'The id of the member and the fields to update.',
      }),
    },
    resolve: async (_root, { input: { id, ...changes } }, context) => ({
      member: toCamelCase(await runMutation(context, updateMember, { id, changes: toSnakeCase(changes) })),
    }),
  }),
}));
