import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeSettings, readSettings } from '../src/settings.ts';

const ROOT = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

/** The files that each stage of the Dockerfile copies from the repository; the last stage is the image. */
const stages = read('Dockerfile')
  .split(/^FROM .*$/m)
  .slice(1)
  .map((stage) => [...stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' ')));

const isWithin = (path: string, folders: readonly string[]) =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** Runs worker threads and child processes from TypeScript. */
const DEVELOPMENT_ONLY = '.config/worker-from-source.mjs';

it('copies only existing files that .dockerignore includes', () => {
  const [everything, ...allowed] = read('.dockerignore').trim().split('\n');
  expect(everything).toBe('*');
  const included = allowed.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  for (const source of stages.flat()) {
    expect([source, existsSync(new URL(source, ROOT)), isWithin(source, included)]).toEqual([source, true, true]);
  }
  expect(stages.flat().length).toBeGreaterThan(8);
});

it('contains each file of the repository that the service reads at runtime', () => {
  const sources = readdirSync(new URL('src/', ROOT), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.includes('generated'),
  );
  const files = sources.flatMap((path) => {
    const compiled = new URL(`dist/${path}`, ROOT);
    return [...read(`src/${path}`).matchAll(/new URL\('(\.\.?\/[^']+)', import\.meta\.url\)/g)].map(([, target = '']) =>
      relative(fileURLToPath(ROOT), fileURLToPath(new URL(target, compiled))),
    );
  });
  const copied = [...(stages.at(-1) ?? []), 'dist', 'node_modules'];
  expect(files.filter((file) => !isWithin(file, copied) && file !== DEVELOPMENT_ONLY)).toEqual([]);
  expect(files).toContain('prisma/migrations');
});

describe('compose.yaml', () => {
  const variables = {
    DOMAIN: 'records.example.org',
    POSTGRES_PASSWORD: 'a-secret',
    OPERATOR_PASSWORD: 'correct horse battery',
  };

  /** The file with its variables replaced, as Compose does. */
  const compose = (environment: Record<string, string> = variables) =>
    parse(
      read('compose.yaml').replaceAll(/\$\{(\w+):(-|\?)([^}]*)\}/g, (_, name, kind, text) => {
        if (environment[name] === undefined && kind === '?') throw new Error(`${name} ${text}`);
        return environment[name] ?? text;
      }),
    );

  it('runs as many instances as the setting says, two by default', () => {
    for (const [environment, instances] of [
      [variables, 2],
      [{ ...variables, INSTANCES: '4' }, 4],
    ] as const) {
      const { deploy, environment: set } = compose(environment).services.service;
      expect([deploy.replicas, set.INSTANCES]).toEqual([instances, instances]);
    }
  });

  it('has valid settings of the service, and no others', () => {
    const { environment } = compose().services.service;
    const names = describeSettings().map(({ name }) => name);
    expect(Object.keys(environment).filter((name) => !names.includes(name))).toEqual([]);
    const set = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));
    expect(readSettings(set)).toMatchObject({
      databaseUrl: 'postgresql://cms:a-secret@postgresql/cms',
      redisUrl: 'redis://redis',
      trustProxy: 1,
      allowedHosts: ['127.0.0.1', 'records.example.org'],
    });
  });

  it('does not start without its secrets and the domain', () => {
    for (const name of Object.keys(variables)) {
      const { [name]: _, ...others } = variables as Record<string, string>;
      expect(() => compose(others)).toThrow(`${name} is not set in .env`);
    }
  });

  it('starts all services again with the machine, each after those that it needs are healthy', () => {
    const { services } = compose();
    expect(Object.keys(services)).toEqual(['proxy', 'service', 'postgresql', 'redis']);
    const dockerfile = read('Dockerfile');
    for (const { restart, depends_on: needed = {} } of Object.values<Record<string, unknown>>(services)) {
      expect(restart).toBe('unless-stopped');
      for (const [name, { condition }] of Object.entries(needed as Record<string, { condition: string }>)) {
        expect(condition).toBe('service_healthy');
        expect(services[name].healthcheck ?? (services[name].build && /^HEALTHCHECK /m.test(dockerfile))).toBeTruthy();
      }
    }
    expect(Object.keys(services.service.depends_on)).toEqual(['postgresql', 'redis']);
  });

  it('publishes only the proxy, which forwards to the port of the service', () => {
    const { services, configs } = compose();
    const published = Object.entries<Record<string, unknown>>(services).filter(([, { ports }]) => ports);
    expect(published.map(([name, { ports }]) => [name, ports])).toEqual([['proxy', ['80:80', '443:443']]]);
    const [, port] = /PORT=(\d+)/.exec(read('Dockerfile')) ?? [];
    expect(configs.caddyfile.content).toMatch(new RegExp(`^records.example.org \\{[^]*name service\\s+port ${port}\n`));
  });
});

describe('the Dockerfile', () => {
  const image = read('Dockerfile')
    .split(/^FROM .*$/m)
    .at(-1) as string;

  it('runs as a user with a number, as platforms need that refuse root', () => {
    expect(/^USER (\S+)$/m.exec(image)?.[1]).toMatch(/^[1-9]\d*$/);
  });

  it('lets any user write to DATA_DIR', () => {
    const [, folder] = /DATA_DIR=(\S+)/.exec(image) ?? [];
    expect(image).toMatch(new RegExp(`--mode=1777 ${folder}$`, 'm'));
    expect(image.indexOf('--mode=1777')).toBeLessThan(image.indexOf('VOLUME /data'));
  });

  it('checks whether the process is alive, and not whether its database is', () => {
    const [, command = ''] = /^HEALTHCHECK .*CMD \\\n\s+(\[.+\])$/m.exec(image) ?? [];
    const [program, option, script] = JSON.parse(command) as string[];
    expect([program, option]).toEqual(['node', '-e']);
    expect(script).toContain('/livez`');
  });
});
