import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePorts, hasServers, until } from '../support/servers/own-servers.ts';
import { temporaryDirectory } from './support/instance.ts';
import { ownService } from './support/own-service.ts';
import { rounds } from './support/writers.ts';

const RESTARTS = rounds('FAULTS_ROLLING_RESTARTS', 4);
const CLIENTS = 4;

const hasNginx = spawnSync('nginx', ['-v']).status === 0;
if (!hasNginx) process.stderr.write('nginx is not installed: rolling restarts behind it are not tested.\n');

interface Answer {
  /** The status; the code of the error if there is no response. */
  readonly result: number | string;
  /** The port of the instance that responded. */
  readonly instance: number;
}

/** The header in which nginx names the instances that it tried. */
const INSTANCES_HEADER = 'x-instances';

/** Sends a request on a connection that is kept open. */
function send(agent: Agent, port: number, key: string, isWrite: boolean): Promise<Answer> {
  return new Promise((resolve) => {
    const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
    const target = isWrite
      ? { method: 'POST', path: '/v1/prayer-requests' }
      : { method: 'GET', path: '/v1/events?limit=5' };
    const sent = request({ agent, host: '127.0.0.1', port, headers, ...target }, (response) => {
      const instance = Number(String(response.headers[INSTANCES_HEADER] ?? port).match(/\d+$/));
      response.resume().once('close', () => {
        resolve({ result: response.complete ? (response.statusCode as number) : 'incomplete', instance });
      });
    });
    sent.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve({ result: code ?? message, instance: port }),
    );
    sent.end(isWrite ? '{"description":"Rain"}' : undefined);
  });
}

describe.skipIf(!hasServers)('rolling restarts of two instances', () => {
  const service = ownService(2);

  /** Restarts the instances in turn while clients send reads and writes. @returns how often each result occurred. */
  async function restartUnderLoad(sendNext: (n: number) => Promise<Answer>): Promise<Record<string, number>> {
    const results: Record<string, number> = {};
    /** The instances that have responded since the last restart. */
    const used = new Set<number>();
    let [sent, isDone] = [0, false];
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isDone) {
        const { result, instance } = await sendNext(sent++);
        results[result] = (results[result] ?? 0) + 1;
        used.add(instance);
      }
    });
    const { instances } = service;
    for (let n = 0; n < RESTARTS; n++) {
      expect(await instances.endOne(n % 2, 'SIGTERM')).toBe(0);
      await instances.startAgain(n % 2);
      used.clear();
      // The load balancer has noticed that the instance is ready.
      await until(async () => used.has(instances.ports[n % 2] as number));
    }
    isDone = true;
    await Promise.all(clients);
    process.stdout.write(`${RESTARTS} restarts: ${JSON.stringify(results)}\n`);
    return results;
  }

  const timeout = 120_000 + RESTARTS * 60_000;

  it(
    'fail no request of clients that use them in turn, and try the other one if a connection is refused',
    async () => {
      const { ports } = service.instances;
      const agents = ports.map(() => new Agent({ keepAlive: true }));
      const results = await restartUnderLoad(async (n) => {
        const isWrite = n % 4 === 0;
        const through = (which: number) => send(agents[which] as Agent, ports[which] as number, service.key, isWrite);
        const answer = await through(n % 2);
        return answer.result === 'ECONNREFUSED' ? through((n + 1) % 2) : answer;
      });
      for (const agent of agents) agent.destroy();
      expect(Object.keys(results).sort()).toEqual(['200', '201']);
    },
    timeout,
  );

  it.skipIf(!hasNginx)(
    'fail no request behind nginx',
    async () => {
      const port = await freePorts(1);
      const nginx = startNginx(port, service.instances.ports);
      const agent = new Agent({ keepAlive: true });
      try {
        await until(async () => (await send(agent, port, service.key, false)).result === 200);
        const results = await restartUnderLoad((n) => send(agent, port, service.key, n % 4 === 0));
        expect(Object.keys(results).sort()).toEqual(['200', '201']);
      } finally {
        agent.destroy();
        const ended = once(nginx, 'exit');
        nginx.kill('SIGTERM');
        await ended;
      }
    },
    timeout,
  );
});

/** Starts nginx as a load balancer, with open connections to the instances and its default rules for retries. */
function startNginx(port: number, instances: readonly number[]): ChildProcess {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'temporary'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/temporary/${name};`)
    .join('\n');
  const configuration = `
    daemon off;
    worker_processes 1;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events {}
    http {
      access_log off;
      ${temporary}
      upstream service {
        ${instances.map((each) => `server 127.0.0.1:${each} fail_timeout=1s;`).join('\n')}
        keepalive 16;
      }
      server {
        listen 127.0.0.1:${port};
        keepalive_requests 1000000;
        location / {
          proxy_pass http://service;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          add_header ${INSTANCES_HEADER} $upstream_addr always;
        }
      }
    }`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration);
  return spawn('nginx', ['-c', file, '-e', join(folder, 'error.log')], { stdio: 'inherit' });
}
