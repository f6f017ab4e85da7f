import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { type OwnServer, own, until } from '../../support/servers/own-servers.ts';
import { freePorts } from './instance.ts';

/** Redis servers with failover. */
export interface RedisNodes {
  /** The settings of the service for them. */
  readonly environment: Record<string, string>;
  readonly servers: readonly OwnServer[];
  start(): Promise<void>;
  /** Kills a master; resolves when another one is promoted. */
  failOver(): Promise<void>;
  remove(): Promise<void>;
}

const MASTER = 'limits';

function node(port: number, options: readonly string[]): OwnServer {
  const folder = mkdtempSync(join(tmpdir(), 'cms-redis-'));
  const standard = ['--port', String(port), '--save', '', '--appendonly', 'no', '--dir', folder];
  return own({
    url: `redis://127.0.0.1:${port}`,
    folder,
    port,
    user: {},
    command: '/usr/bin/redis-server',
    options: [...standard, ...options],
  });
}

async function ask(server: OwnServer, ...words: string[]): Promise<unknown> {
  const client = createClient({ url: server.url, socket: { reconnectStrategy: false } });
  client.on('error', () => {});
  try {
    await client.connect();
    return await client.sendCommand(words);
  } finally {
    client.destroy();
  }
}

/** A master, two replicas and three Sentinels. */
export async function sentinelNodes(): Promise<RedisNodes> {
  const first = await freePorts(6);
  const replicaOf = ['--replicaof', '127.0.0.1', String(first)];
  const servers = [node(first, []), node(first + 1, replicaOf), node(first + 2, replicaOf)];
  const sentinels = [3, 4, 5].map((n) => {
    const folder = mkdtempSync(join(tmpdir(), 'cms-sentinel-'));
    const file = join(folder, 'sentinel.conf');
    const settings = ['down-after-milliseconds %s 500', 'failover-timeout %s 2000', 'parallel-syncs %s 1'];
    const lines = [`port ${first + n}`, `dir ${folder}`, `sentinel monitor ${MASTER} 127.0.0.1 ${first} 2`];
    writeFileSync(file, [...lines, ...settings.map((line) => `sentinel ${line.replace('%s', MASTER)}`), ''].join('\n'));
    const port = first + n;
    return own({
      url: `redis://127.0.0.1:${port}`,
      folder,
      port,
      user: {},
      command: '/usr/bin/redis-server',
      options: [file, '--sentinel'],
    });
  });
  const masterPort = async () =>
    Number(((await ask(sentinels[0] as OwnServer, 'SENTINEL', 'get-master-addr-by-name', MASTER)) as string[])[1]);
  return {
    environment: { REDIS_URL: sentinels.map(({ url }) => url).join(','), REDIS_SENTINEL: MASTER },
    servers,
    async start() {
      for (const server of [...servers, ...sentinels]) await server.start();
      await until(async () => {
        const state = (await ask(sentinels[0] as OwnServer, 'SENTINEL', 'master', MASTER)) as Record<string, string>;
        return Number(state['num-slaves']) === 2 && Number(state['num-other-sentinels']) === 2;
      });
    },
    async failOver() {
      const port = await masterPort();
      const master = servers.find(({ url }) => url.endsWith(`:${port}`)) as OwnServer;
      await master.kill();
      await until(async () => (await masterPort()) !== port);
      await master.start();
    },
    async remove() {
      await Promise.all([...sentinels, ...servers].map((server) => server.remove()));
    },
  };
}

/** A Redis Cluster of three masters, each with a replica. */
export async function clusterNodes(): Promise<RedisNodes> {
  const first = await freePorts(6);
  const options = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000', '--cluster-config-file', 'nodes.conf'];
  const servers = [0, 1, 2, 3, 4, 5].map((n) => {
    // The default bus port would exceed 65,535 for some ports.
    return node(first + n, [...options, '--cluster-port', String(busPort(first + n))]);
  });
  const masters = async () => {
    const states = await Promise.all(servers.map((server) => ask(server, 'INFO', 'replication').catch(() => '')));
    return servers.filter((_, n) => String(states[n]).includes('role:master'));
  };
  const isWhole = async () => {
    const states = await Promise.all(servers.map((server) => ask(server, 'CLUSTER', 'INFO').catch(() => 'ok')));
    return states.every((state) => state === 'ok' || String(state).includes('cluster_state:ok'));
  };
  return {
    environment: {
      REDIS_URL: servers
        .slice(0, 3)
        .map(({ url }) => url)
        .join(','),
    },
    servers,
    async start() {
      for (const server of servers) await server.start();
      const addresses = servers.map(({ url }) => new URL(url).host);
      const words = ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'];
      execFileSync('redis-cli', words, { stdio: 'ignore', timeout: 60_000 });
      await until(isWhole);
      await until(async () => (await masters()).length === 3);
    },
    async failOver() {
      const [master] = await masters();
      await master?.kill();
      await until(async () => (await masters()).length === 3 && (await isWhole()));
      await master?.start();
    },
    async remove() {
      await Promise.all(servers.map((server) => server.remove()));
    },
  };
}

function busPort(port: number): number {
  return port > 55_000 ? port - 10_000 : port + 10_000;
}
