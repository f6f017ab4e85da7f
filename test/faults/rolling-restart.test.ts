import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePorts, hasServers, until } from '../support/servers/own-servers.ts';
import { ROOT, temporaryDirectory } from './support/instance.ts';
import { ownService } from './support/own-service.ts';
import { rounds } from './support/writers.ts';

const RESTARTS = rounds('FAULTS_ROLLING_RESTARTS', 4);
const CLIENTS = 4;

/** The header in which a proxy names the instances that it tried. */
const INSTANCES_HEADER = 'x-instances';

/** The proxies of docs/examples: each starts with the shipped file, in which only addresses and certificates are replaced. */
const PROXIES = [
  { name: 'nginx', version: ['-v'], start: startNginx },
  { name: 'caddy', version: ['version'], start: startCaddy },
].map((proxy) => ({ ...proxy, isInstalled: spawnSync(proxy.name, proxy.version).status === 0 }));
for (const { name, isInstalled } of PROXIES) {
  if (!isInstalled) process.stderr.write(`${name} is not installed: rolling restarts behind it are not tested.\n`);
}

interface Answer {
  /** The status; the code of the error if there is no response. */
  readonly result: number | string;
  /** The port of the instance that responded. */
  readonly instance: number;
}

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
        const status = response.statusCode as number;
        // Who has failed: an instance, or the proxy, which then names none.
        const failure = `${status} of ${response.headers[INSTANCES_HEADER] ?? 'the proxy'} (${response.headers['x-request-id'] ?? ''})`;
        resolve({ result: response.complete ? (status < 500 ? status : failure) : 'incomplete', instance });
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
    if (Object.keys(results).some((result) => /^\D|^5/.test(result))) process.stdout.write(instances.output());
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

  for (const { name, isInstalled, start } of PROXIES) {
    it.skipIf(!isInstalled)(
      `fail no request behind ${name} with the file of docs/examples`,
      async () => {
        const port = await freePorts(1);
        const proxy = start(port, service.instances.ports);
        const agent = new Agent({ keepAlive: true });
        try {
          await until(async () => (await send(agent, port, service.key, false)).result === 200);
          const results = await restartUnderLoad((n) => send(agent, port, service.key, n % 4 === 0));
          expect(Object.keys(results).sort()).toEqual(['200', '201']);
        } finally {
          agent.destroy();
          const ended = once(proxy, 'exit');
          proxy.kill('SIGTERM');
          await ended;
        }
      },
      timeout,
    );
  }
});

/** Returns a file of docs/examples with other ports of the instances, and other replacements. */
function example(
  name: string,
  instances: readonly number[],
  replacements: readonly (readonly [RegExp, string])[],
): string {
  const addresses = instances.map((port, n) => [new RegExp(`127\\.0\\.0\\.1:400${n}`), `127.0.0.1:${port}`] as const);
  return [...addresses, ...replacements].reduce(
    (text, [pattern, replacement]) => {
      if (!pattern.test(text)) throw new Error(`docs/examples/${name} has no ${pattern}`);
      return text.replace(pattern, replacement);
    },
    readFileSync(join(ROOT, 'docs/examples', name), 'utf8'),
  );
}

function startNginx(port: number, instances: readonly number[]): ChildProcess {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'temporary'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/temporary/${name};`)
    .join('\n');
  const site = example('nginx-instances.conf', instances, [
    [/listen 443 ssl;/, `listen 127.0.0.1:${port};`],
    [/ssl_certificate .*;\n.*ssl_certificate_key .*;/, ''],
    [/proxy_pass .*;/, `$&\nadd_header ${INSTANCES_HEADER} $upstream_addr always;`],
  ]);
  const configuration = `
    daemon off;
    worker_processes 1;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log;
    events {}
    http {
      access_log off;
      ${temporary}
      ${site}
    }`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration);
  return spawn('nginx', ['-c', file, '-e', join(folder, 'error.log')], { stdio: 'inherit' });
}

function startCaddy(port: number, instances: readonly number[]): ChildProcess {
  const folder = temporaryDirectory();
  const site = example('Caddyfile', instances, [
    [/records\.example\.org/, `http://127.0.0.1:${port}`],
    [/lb_policy/, `header_down ${INSTANCES_HEADER} {http.reverse_proxy.upstream.hostport}\n$&`],
  ]);
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, `{\n  admin off\n}\n${site}`);
  const environment = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { env: environment, stdio: 'ignore' });
}
