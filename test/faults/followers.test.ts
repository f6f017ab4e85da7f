import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Follower, type Send, streamingFollower, waitingFollower } from '../support/followers.ts';
import { freePorts, hasServers, type OwnServer, ownPostgresql } from '../support/servers/own-servers.ts';
import { eventually } from '../support/time/eventually.ts';
import {
  ask,
  type Instance,
  organizationWithKey,
  ROOT,
  startInstance,
  temporaryDirectory,
} from './support/instance.ts';
import { rounds, startWriters } from './support/writers.ts';

/** How many clients wait, and how many receive streams. */
const FOLLOWERS = rounds('FAULTS_FOLLOWERS', 10);
const WRITERS = 20;
const RECORD = '... on Member { id lastName tags { id } }';

describe.skipIf(!hasServers)('clients that follow the changes through two instances', () => {
  let postgresql: OwnServer;
  let environment: Record<string, string>;
  let ports: readonly number[];
  let instances: Instance[];
  let id: string;
  let key: string;

  beforeAll(async () => {
    postgresql = await ownPostgresql();
    await postgresql.start();
    environment = {
      DATABASE_URL: postgresql.url,
      DATA_DIR: temporaryDirectory(),
      RATE_LIMIT_PER_MINUTE: '1000000',
      MAX_STREAMS_PER_KEY: String(FOLLOWERS),
    };
    ({ id, key } = organizationWithKey(environment));
    const first = await freePorts(2);
    ports = [first, first + 1];
    instances = await Promise.all(ports.map((port) => startInstance(environment, port)));
    for (const instance of instances) await instance.ready();
  });
  afterAll(async () => {
    for (const instance of instances ?? []) await instance.end('SIGKILL');
    await postgresql?.remove();
  });

  /** Imports 300 members in a process, which is killed after a time if one is given. */
  async function importMembers(name: string, timeout = 0): Promise<void> {
    const file = join(temporaryDirectory(), 'members.ndjson');
    const rows = Array.from({ length: 300 }, (_, n) =>
      JSON.stringify({
        external_id: `${name}${n}`,
        first_name: 'A',
        last_name: name,
        email_address: `${name}${n}@example.org`,
      }),
    );
    writeFileSync(file, rows.join('\n'));
    const options = { env: { ...process.env, ...environment }, timeout, killSignal: 'SIGKILL' as const };
    await promisify(execFile)(join(ROOT, 'cms'), ['import', '--organization', id, file], options);
  }

  it('have the records of the database in the end, although instances and imports are killed', async () => {
    let sent = 0;
    const send: Send = (path, { headers, ...init } = {}) =>
      fetch(`http://127.0.0.1:${ports[sent++ % 2]}${path}`, { ...init, headers: { ...headers, 'X-Api-Key': key } });
    const followers: Follower[] = Array.from({ length: FOLLOWERS }, (_, n) => [
      streamingFollower(send, RECORD, '', 5 + n * 20),
      waitingFollower(send, RECORD, ''),
    ]).flat();
    const writers = ports.map((port) => startWriters(`http://127.0.0.1:${port}`, key, WRITERS / 2));
    const imports = [importMembers('whole'), importMembers('killed', 3_000).catch(() => {})];
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      for (const [index, port] of ports.entries()) {
        await writers[index]?.more(20, 60_000);
        await instances[index]?.end(signal);
        await writers[1 - index]?.more(20, 60_000);
        instances[index] = await startInstance(environment, port);
        await instances[index]?.ready();
      }
    }
    await Promise.all(imports);
    for (const { stop } of writers) await stop();
    const members: Record<string, unknown> = {};
    for (let cursor = '', hasMore = true; hasMore; ) {
      const { status, json } = await ask(`http://127.0.0.1:${ports[0]}`, key, `/v1/members?limit=100${cursor}`);
      // The followers still read.
      if (status === 503) continue;
      for (const { id, last_name: lastName } of json.data) members[`members ${id}`] = { id, lastName, tags: [] };
      hasMore = json.pagination.has_more;
      cursor = `&cursor=${json.pagination.next_cursor}`;
    }
    expect(Object.keys(members).length).toBeGreaterThan(450);
    await eventually(() => {
      for (const { copy } of followers) expect(Object.fromEntries(copy)).toEqual(members);
    });
    for (const { stop } of followers) await stop();
    expect(followers.flatMap(({ faults }) => faults)).toEqual([]);
  }, 300_000);
});
