import { afterAll, beforeAll } from 'vitest';
import { type OwnServer, ownPostgresql, untilAnswers } from '../../support/servers/own-servers.ts';
import { type Instances, organizationWithKey, startInstances, temporaryDirectory } from './instance.ts';

/** Instances of the service on a PostgreSQL server that only one suite uses, and an organization. */
export interface OwnService {
  postgresql: OwnServer;
  instances: Instances;
  id: string;
  /** A key of the organization with all scopes. */
  key: string;
}

/** Starts the server and the instances for the tests of a suite. The properties are set when its tests run. */
export function ownService(count: number, settings: Readonly<Record<string, string>> = {}): OwnService {
  const service = {} as OwnService;
  beforeAll(async () => {
    service.postgresql = await ownPostgresql();
    await service.postgresql.start();
    await untilAnswers(service.postgresql.url);
    const environment = {
      DATABASE_URL: service.postgresql.url,
      DATA_DIR: temporaryDirectory(),
      RATE_LIMIT_PER_MINUTE: '1000000',
      ...settings,
    };
    Object.assign(service, organizationWithKey(environment));
    service.instances = await startInstances(count, environment);
    await service.instances.ready();
  });
  afterAll(async () => {
    await service.instances?.end('SIGKILL');
    await service.postgresql?.remove();
  });
  return service;
}
