import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Listening, listen, startGateway } from '../support/gateway.ts';
import { type RunningService, startDemo } from '../support/running-service.ts';
import { send } from '../support/service.ts';
import { ATTENDANCE, createAttendance } from './attendance.ts';

interface Member {
  readonly id: string;
  readonly firstName: string;
}

interface Result<Data> {
  readonly data: Data;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

let service: RunningService;
let attendance: Listening;
let gateway: Listening;
let members: Member[];

const ask = <Data = unknown>(query: string, to = gateway.url, key = service.key) =>
  send<Result<Data>>(query, {}, { url: to, key });

beforeAll(async () => {
  service = await startDemo({ GRAPHQL_FEDERATION: 'on' });
  const community = `${service.address}/graphql`;
  const { data } = await ask<{ _service: { sdl: string }; members: { nodes: Member[] } }>(
    '{ _service { sdl } members(first: 3) { nodes { id firstName } } }',
    community,
  );
  members = data.members.nodes;
  const ids = [...members.map(({ id }) => id), 'mem_removed'];
  attendance = await listen(createAttendance(ids.map((memberId, index) => ({ day: dayOf(index), memberId }))));
  const { supergraphSdl, errors } = composeServices([
    { name: 'community', url: community, typeDefs: parse(data._service.sdl) },
    { name: 'attendance', url: attendance.url, typeDefs: ATTENDANCE },
  ]);
  if (!supergraphSdl) throw new Error(errors?.map(({ message }) => message).join('\n'));
  gateway = await startGateway(supergraphSdl);
});
afterAll(async () => {
  await gateway?.stop();
  await attendance?.stop();
  await service?.stop();
});

function dayOf(index: number): string {
  return `2026-01-0${index + 1}`;
}

it('resolves fields of another subgraph on members of the service, and null for a deleted one', async () => {
  const { data } = await ask('{ attendances { day member { firstName tags { name } } } }');
  const joined = [...members.map(({ firstName }) => ({ firstName, tags: expect.any(Array) })), null];
  expect(data).toEqual({ attendances: joined.map((member, index) => ({ day: dayOf(index), member })) });
});

it('resolves members of the service on fields of another subgraph', async () => {
  const { data, errors } = await ask('{ members(first: 3) { nodes { firstName attendances { day } } } }');
  expect(errors).toBeUndefined();
  const nodes = members.map(({ firstName }, index) => ({ firstName, attendances: [{ day: dayOf(index) }] }));
  expect(data).toEqual({ members: { nodes } });
});

it('passes on error codes', async () => {
  const { errors } = await ask('{ attendances { member { firstName } } }', gateway.url, 'cms_wrong');
  expect(errors?.[0]?.extensions.code).toBe('invalid_api_key');
});
