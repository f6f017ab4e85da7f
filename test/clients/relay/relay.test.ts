import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { departmentRoster_department$data } from '../generated/relay/departmentRoster_department.graphql.ts';
import type { departmentRosterQuery$data } from '../generated/relay/departmentRosterQuery.graphql.ts';
import type { memberList_query$data } from '../generated/relay/memberList_query.graphql.ts';
import type { memberListQuery$data } from '../generated/relay/memberListQuery.graphql.ts';
import type { recordName_node$data } from '../generated/relay/recordName_node.graphql.ts';
import type { recordNameQuery$data } from '../generated/relay/recordNameQuery.graphql.ts';
import { idsFromRest } from '../support/service.ts';
import { tool, WORKSPACE } from '../support/tool.ts';
import { FragmentInStore, load, relayEnvironment } from './store.ts';

const ARTIFACTS = join(WORKSPACE, 'generated/relay');

/** The artifact of a query or fragment. */
async function artifact(name: string) {
  return (await import(join(ARTIFACTS, `${name}.graphql.ts`))).default;
}

function idsOf(connection: { edges: readonly { node: { id: string } }[] } | null | undefined): string[] | undefined {
  return connection?.edges.map(({ node }) => node.id);
}

beforeAll(async () => {
  await mkdir(ARTIFACTS, { recursive: true });
  await tool('relay-compiler');
});

it('relay-compiler accepts every document', async () => {
  await tool('relay-compiler', '--validate');
});

it('fetches two pages of a list and merges them', async () => {
  const environment = relayEnvironment();
  const query = await load<memberListQuery$data>(environment, await artifact('memberListQuery'), { count: 3 });
  const list = new FragmentInStore<memberList_query$data>(environment, await artifact('memberList_query'), query);
  const expected = await idsFromRest('members', 9);
  expect(idsOf(list.read().members)).toEqual(expected.slice(0, 3));
  await list.loadNext(3);
  expect(idsOf(list.read().members)).toEqual(expected.slice(0, 6));
  await list.loadNext(3);
  expect(idsOf(list.read().members)).toEqual(expected);
});

it('fetches two pages of a nested list by the id of its record, and merges them', async () => {
  const environment = relayEnvironment();
  const query = await load<departmentRosterQuery$data>(environment, await artifact('departmentRosterQuery'), {
    count: 2,
  });
  const [department] = query.departments?.edges ?? [];
  const roster = new FragmentInStore<departmentRoster_department$data>(
    environment,
    await artifact('departmentRoster_department'),
    department?.node,
  );
  await roster.loadNext(2);
  await roster.loadNext(2);
  const { members, memberIds } = roster.read();
  expect(idsOf(members)).toEqual(memberIds.slice(0, 6));
});

it('refetches records of any type by id', async () => {
  const environment = relayEnvironment();
  const [id] = await idsFromRest('departments', 1);
  const query = await load<recordNameQuery$data>(environment, await artifact('recordNameQuery'), { id });
  const record = new FragmentInStore<recordName_node$data>(environment, await artifact('recordName_node'), query.node);
  const { name } = record.read();
  environment.commitUpdate((store) => store.get(id as string)?.setValue('Out of date', 'name'));
  expect(record.read().name).toBe('Out of date');
  await record.refetch();
  expect(record.read()).toEqual({ __typename: 'Department', id, name });
});
