import { createMember } from '../../domain/create-member.ts';
import { type Gender, getMember, listMembers, type Member } from '../../domain/member.ts';
import { updateMember } from '../../domain/update-member.ts';
import type { GraphQLContext } from '../data/context.ts';
import { readRecord, readRecords } from '../data/read.ts';
import { runMutation } from '../data/run-mutation.ts';
import { nestedList } from '../execution/field-extensions.ts';
import { type InCamelCase, toCamelCase, toSnakeCase } from '../execution/naming.ts';
import { builder } from './builder.ts';
import { addRootList } from './connection.ts';
import { DepartmentType, MemberType, TagType } from './type-refs.ts';

const GenderType = builder.enumType('Gender', {
  description: 'The genders a member can have, spelled as in REST.',
  values: {
    Male: { value: 'Male', description: 'Male.' },
    Female: { value: 'Female', description: 'Female.' },
    Others: { value: 'Others', description: 'Any other.' },
  } satisfies Record<Gender, { value: Gender; description: string }>,
});

builder.objectType(MemberType, {
  description:
    'A person as the caller’s organization knows them. The same person has the same id in every organization.',
  interfaces: [builder.nodeInterfaceRef()],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The person’s id, the same as in REST.' }),
    firstName: t.exposeString('firstName', { description: 'Given name.' }),
    lastName: t.exposeString('lastName', { description: 'Family name.' }),
    emailAddress: t.exposeString('emailAddress', { description: 'Email address, in lower case.' }),
    phoneNumber: t.exposeString('phoneNumber', {
      nullable: true,
      description: 'Phone number in E.164, an extension as `;ext=`.',
    }),
    gender: t.expose('gender', { type: GenderType, nullable: true, description: 'Gender.' }),
    maritalStatus: t.exposeString('maritalStatus', { nullable: true, description: 'Marital status, free text.' }),
    dateOfBirth: t.expose('dateOfBirth', { type: 'Date', nullable: true, description: 'Date of birth.' }),
    address: t.exposeString('address', { nullable: true, description: 'Street and number.' }),
    city: t.exposeString('city', { nullable: true, description: 'City.' }),
    state: t.exposeString('state', { nullable: true, description: 'State or province.' }),
    zipCode: t.exposeString('zipCode', { nullable: true, description: 'Postal code.' }),
    country: t.exposeString('country', { nullable: true, description: 'Country, free text.' }),
    designation: t.exposeString('designation', { nullable: true, description: 'The name of the designation.' }),
    isGuest: t.exposeBoolean('isGuest', { description: 'Whether the person is a guest.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the member entered the organization.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the member was last changed.' }),
    tags: t.field({
      type: [TagType],
      nullable: true,
      description: 'The member’s assignable tags. Scope: `tags.view`. Costs one point for each place in the query.',
      ...nestedList(({ loaders }: GraphQLContext) => loaders.tagsOfMember),
      resolve: ({ id }, _args, { loaders }, info) => readRecords(loaders.tagsOfMember, id, info),
    }),
    departments: t.field({
      type: [DepartmentType],
      nullable: true,
      description:
        'The departments the member belongs to. Scope: `departments.view`. Costs one point for each place in the query.',
      ...nestedList(({ loaders }: GraphQLContext) => loaders.departmentsOfMember),
      resolve: ({ id }, _args, { loaders }, info) => readRecords(loaders.departmentsOfMember, id, info),
    }),
  }),
});

/** A page of members: one type wherever they are listed. */
export const MemberConnectionType = addRootList(MemberType, {
  name: 'members',
  one: 'A member',
  many: 'members',
  list: listMembers,
  description: 'The members of the organization, in the order in which they entered. Scope: `members.view`.',
  search: 'Only members whose first or last name, phone number, email address or address contains this text.',
});

builder.queryFields((t) => ({
  member: t.field({
    type: MemberType,
    nullable: true,
    description: 'One member; null and an error `not_found` when there is none. Scope: `members.view`.',
    args: { id: t.arg.id({ required: true, description: 'The member’s id.' }) },
    resolve: (_root, { id }, context, info) => readRecord(context, getMember, { id }, info),
  }),
}));

const CreateMemberInput = builder.inputType('CreateMemberInput', {
  description: 'A new member.',
  fields: (t) => ({
    firstName: t.string({ required: true, description: 'Given name.' }),
    lastName: t.string({ required: true, description: 'Family name.' }),
    emailAddress: t.string({
      required: true,
      description: 'Email address. A person known elsewhere by it joins; nothing of the other organization is shown.',
    }),
    phoneNumber: t.string({
      description: 'Phone number; without a country code it is read in the organization’s country.',
    }),
    gender: t.field({ type: GenderType, description: 'Gender.' }),
    maritalStatus: t.string({ description: 'Marital status, free text.' }),
    dateOfBirth: t.field({ type: 'Date', description: 'Date of birth; set on creation only.' }),
    address: t.string({ description: 'Street and number.' }),
    city: t.string({ description: 'City.' }),
    state: t.string({ description: 'State or province.' }),
    zipCode: t.string({ description: 'Postal code.' }),
    country: t.string({ description: 'Country, free text.' }),
    designationId: t.id({ description: 'The id of one of the organization’s designations.' }),
  }),
});

const UpdateMemberInput = builder.inputType('UpdateMemberInput', {
  description: 'What changes of a member: only the fields that are given. Null clears an optional field.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The member’s id.' }),
    firstName: t.string({ description: 'Given name; must not be null or blank.' }),
    lastName: t.string({ description: 'Family name; must not be null or blank.' }),
    emailAddress: t.string({ description: 'Email address; must not be null.' }),
    phoneNumber: t.string({
      description: 'Phone number; without a country code it is read in the organization’s country.',
    }),
    gender: t.field({ type: GenderType, description: 'Gender.' }),
    maritalStatus: t.string({ description: 'Marital status, free text.' }),
    address: t.string({ description: 'Street and number.' }),
    city: t.string({ description: 'City.' }),
    state: t.string({ description: 'State or province.' }),
    zipCode: t.string({ description: 'Postal code.' }),
    country: t.string({ description: 'Country, free text.' }),
    designationId: t.id({ description: 'The id of one of the organization’s designations.' }),
  }),
});

const CreateMemberPayload = builder.objectRef<{ member: InCamelCase<Member> }>('CreateMemberPayload').implement({
  description: 'What creating a member made.',
  fields: (t) => ({
    member: t.field({ type: MemberType, description: 'The new member.', resolve: ({ member }) => member }),
  }),
});

const UpdateMemberPayload = builder.objectRef<{ member: InCamelCase<Member> }>('UpdateMemberPayload').implement({
  description: 'What changing a member made.',
  fields: (t) => ({
    member: t.field({ type: MemberType, description: 'The member after the change.', resolve: ({ member }) => member }),
  }),
});

builder.mutationFields((t) => ({
  createMember: t.field({
    type: CreateMemberPayload,
    nullable: true,
    description:
      'Creates a member. Errors: `member_exists`, `org_limit_reached` (a person belongs to at most three organizations). Scope: `members.create`.',
    args: { input: t.arg({ type: CreateMemberInput, required: true, description: 'The new member.' }) },
    resolve: async (_root, { input }, context) => ({
      member: toCamelCase(await runMutation(context, createMember, toSnakeCase(input))),
    }),
  }),
  updateMember: t.field({
    type: UpdateMemberPayload,
    nullable: true,
    description: 'Changes a member. Errors: `not_found`, `email_in_use`. Scope: `members.update`.',
    args: { input: t.arg({ type: UpdateMemberInput, required: true, description: 'The member and what changes.' }) },
    resolve: async (_root, { input: { id, ...changes } }, context) => ({
      member: toCamelCase(await runMutation(context, updateMember, { id, changes: toSnakeCase(changes) })),
    }),
  }),
}));
