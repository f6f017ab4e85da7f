import { fileURLToPath } from 'node:url';
import type { Dialect } from './dialects/dialect.ts';
import { byPosition, plain } from './dialects/peers.ts';
import { postgraphile } from './dialects/postgraphile.ts';
import { serviceGraphQL, serviceRest } from './dialects/service.ts';
import type { Program } from './servers/server.ts';

/** A column of the table: a program and its dialect. */
export interface Target {
  readonly name: string;
  readonly title: string;
  readonly program: Program;
  readonly dialect: Dialect;
  /** Workloads that it does not support. */
  readonly without?: readonly string[];
}

/** The service as run by `npm start`, with a limit that is counted but never reached. */
export const service: Program = {
  name: 'service',
  args: [fileURLToPath(new URL('../../dist/main.js', import.meta.url))],
  environment: { RATE_LIMIT_PER_MINUTE: '1000000000', REDIS_URL: '' },
  readyPath: '/readyz',
};

/** The reference of all ratios. */
export const RAW: Target = { name: 'raw', title: 'raw', program: script('servers/raw'), dialect: plain };

/** All columns, in order. */
export const TARGETS: readonly Target[] = [
  RAW,
  { name: 'rest', title: 'REST', program: service, dialect: serviceRest, without: ['departments'] },
  { name: 'graphql', title: 'GraphQL', program: service, dialect: serviceGraphQL },
  { name: 'mercurius', title: 'Mercurius', program: script('peers/mercurius'), dialect: byPosition },
  {
    name: 'postgraphile',
    title: 'PostGraphile',
    program: { name: 'postgraphile', args: [fileURLToPath(new URL('peers/postgraphile/server.mjs', import.meta.url))] },
    dialect: postgraphile,
    without: ['search', 'frequent', 'departments', 'create'],
  },
];

function script(path: string): Program {
  const file = fileURLToPath(new URL(`${path}.ts`, import.meta.url));
  return { name: path.slice(path.indexOf('/') + 1), args: ['--import', 'tsx', file] };
}
