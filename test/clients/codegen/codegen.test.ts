import { print } from 'graphql';
import { beforeAll, expect, expectTypeOf, it } from 'vitest';
import type { ClearAddressMutationVariables, Gender, MemberListQuery } from '../generated/codegen/graphql.ts';
import { idsOf } from '../support/lists.ts';
import { idsFromRest, send } from '../support/service.ts';
import { tool } from '../support/tool.ts';

type Member = NonNullable<MemberListQuery['members']>['edges'][number]['node'];

beforeAll(() => tool('graphql-codegen', '--config', 'codegen/codegen.ts'));

it('generates types that tsc accepts, with correct nullability', async () => {
  expectTypeOf<Member['id']>().toEqualTypeOf<string>();
  expectTypeOf<Member['gender']>().toEqualTypeOf<Gender | null | undefined>();
  expectTypeOf<Member['dateOfBirth']>().toEqualTypeOf<string | null | undefined>();
  expectTypeOf<Member['tags']>().exclude<null | undefined>().items.toHaveProperty('name').toEqualTypeOf<string>();
  expectTypeOf<{ input: { id: string; address: null } }>().toExtend<ClearAddressMutationVariables>();
  expectTypeOf<{ input: { address: null } }>().not.toExtend<ClearAddressMutationVariables>();
  await tool('tsc', '-p', 'codegen');
});

it('generates documents that the service executes', async () => {
  const { memberList } = await import('./documents.ts');
  const { data } = await send<{ data: MemberListQuery }>(print(memberList), { first: 3 });
  expect(idsOf(data.members)).toEqual(await idsFromRest('members', 3));
});
