import { type ChildProcess, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readSettings } from '../../../src/settings.ts';
import type { Outcome } from '../../runner/run-suite.ts';
import { ownPostgresql, POSTGRESQL_BIN } from '../../support/servers/own-servers.ts';
import { type Block, blocksOf } from './page.ts';
import { outputWith, start, startedService, stop } from './running.ts';
import { commandsOf, Shell } from './shell.ts';

/** The pages in the order of a reader: those of one group use the same service. */
export const GROUPS: Readonly<Record<'demo' | 'server', readonly string[]>> = {
  /** On the embedded database, with the demo organization. */
  demo: ['docs/rest.md', 'docs/graphql.md', 'docs/keys.md', 'docs/sync.md', 'docs/import-export.md'],
  /** On a PostgreSQL server that the commands set up. */
  server: ['docs/operations.md', 'docs/scaling.md'],
};

const PASSWORD = 'correct horse battery staple';

/** An export of Breeze, for the first import. */
const MEMBERS = 'Breeze ID,First Name,Last Name,Email\n7,Robin,Field,robin.field@example.org\n';

/** What commands print that later ones need, by the placeholder of the pages. */
const CAPTURED: Readonly<Record<string, RegExp>> = {
  ORGANIZATION_ID: /\borg_\w{26}\b/,
  KEY_ID: /\bkey_\w{26}\b/,
  RUN_ID: /\bimp_\w{26}\b/,
  ADMIN_ID: /\badm_\w{26}\b/,
  'cms_…': /\bcms_\w{38}\b/,
};

/** Runs the command blocks of pages, in order, in a scratch folder. @param report receives a line for each block not run. */
export async function walkCommands(
  root: string,
  kind: keyof typeof GROUPS,
  pages: readonly string[],
  report: (line: string) => void,
): Promise<Outcome> {
  const sandbox = await createSandbox(root, kind);
  const failures: string[] = [];
  let passed = 0;
  let [printed, printedIn] = ['', ''];
  try {
    for (const block of pages.flatMap((page) => blocksOf(root, page))) {
      const { mark, place, language, section } = block;
      if (section !== printedIn) [printed, printedIn] = ['', section];
      const [, reason] = /^not run: (.+)$/.exec(mark ?? '') ?? [];
      if (reason) {
        report(`${place} is not run: ${reason}`);
        continue;
      }
      try {
        if (isSettings(block)) await sandbox.configure(block);
        else if (language === 'sh') printed = await sandbox.type(block);
        else if (language === 'sql') await sandbox.query(block);
        else if (language === 'json' && printed.startsWith('{'))
          expectShape(JSON.parse(printed), JSON.parse(block.text));
        else continue;
        passed += 1;
      } catch (error) {
        failures.push(`${place}: ${(error as Error).message}`);
      }
    }
    return { passed, failures, unstable: [] };
  } finally {
    await sandbox.remove();
  }
}

/** Whether a block has only settings, as in a file. */
function isSettings({ text, language }: Block): boolean {
  return ['', 'sh'].includes(language) && text.split('\n').every((line) => /^[A-Z_]+=/.test(line));
}

/** The folders, servers and programs of somebody who follows the pages. */
async function createSandbox(root: string, kind: keyof typeof GROUPS) {
  const home = mkdtempSync(join(tmpdir(), 'cms-docs-'));
  const at = (...names: string[]) => join(home, ...names);
  for (const folder of ['service', 'bin', 'backups']) mkdirSync(at(folder));
  for (const name of ['cms', 'dist', 'docs', 'node_modules', 'package.json', 'prisma'])
    symlinkSync(join(root, name), at('service', name));
  writeFileSync(at('service', 'members.csv'), MEMBERS);
  // In a terminal, curl shows no progress before the response.
  writeFileSync(at('.curlrc'), 'silent\n');
  // Runs a command as another user: here, all are the same.
  writeFileSync(at('bin', 'sudo'), '#!/bin/sh\n[ "$1" = -u ] && shift 2\nexec "$@"\n');
  // Asks for a password, which nobody types here.
  writeFileSync(
    at('bin', 'createuser'),
    `#!/bin/sh\nfor name; do :; done\nexec psql -qc "CREATE ROLE $name LOGIN PASSWORD 'PASSWORD'" postgres\n`,
  );
  for (const name of ['sudo', 'createuser']) chmodSync(at('bin', name), 0o755);

  const server = kind === 'server' ? await ownPostgresql() : undefined;
  await server?.start();
  const { port, username, host } = new URL(server?.url ?? 'postgresql://nobody@127.0.0.1:1/none');
  const known = new Map<string, string>();
  const env: NodeJS.ProcessEnv = {
    PATH: [at('bin'), POSTGRESQL_BIN, process.env.PATH].join(':'),
    HOME: home,
    ...(server && { PGHOST: '127.0.0.1', PGPORT: port, PGUSER: username }),
  };
  let settings = '';
  let service: ChildProcess | undefined;
  let address = 'http://127.0.0.1:1';

  /** The text of a page with the folders, addresses and ids of this sandbox. */
  const local = (text: string) =>
    [...known].reduce(
      (result, [name, value]) => result.replaceAll(name, value),
      text
        .replaceAll(/\/srv\/cms\b(?!-)/g, at('service'))
        .replaceAll('/srv/', `${home}/`)
        .replaceAll('/etc/', `${home}/`)
        .replaceAll('/var/backups', at('backups'))
        .replaceAll(/@(?:127\.0\.0\.1|db\.example\.org)\/cms\b/g, `@${host}/cms`)
        .replaceAll(/https:\/\/records\.example\.org|http:\/\/127\.0\.0\.1:4000/g, address),
    );

  const capture = (printed: string) => {
    for (const [name, pattern] of Object.entries(CAPTURED)) {
      const [value] = pattern.exec(printed) ?? [];
      if (value) known.set(name, value);
    }
  };

  const listen = async (command: string, pattern: RegExp, variables: NodeJS.ProcessEnv = {}) => {
    service = start(command, { folder: at('service'), env: { ...env, ...variables } });
    return outputWith(service, pattern);
  };

  if (kind === 'demo') {
    service = start('node dist/main.js', { folder: at('service'), env: { ...env, PORT: '0' } });
    const started = await startedService(service);
    address = started.address;
    known.set('cms_…', started.demoKey);
    Object.assign(env, { API_KEY: started.demoKey, API_URL: address });
    for (const command of ['organization list', 'key list --organization ORGANIZATION_ID']) {
      const args = ['dist/cli/main.js', ...local(command).split(' ')];
      capture(execFileSync('node', args, { cwd: at('service'), env, encoding: 'utf8' }));
    }
  }

  return {
    /** Validates settings, and writes them if the text before names their file; then starts the service with them. */
    async configure({ text, before }: Block): Promise<void> {
      const content = local(text).replaceAll('…', PASSWORD);
      readSettings(variablesOf(content));
      const [, file] = /`(\/etc\/[\w./-]+)`/.exec(before) ?? [];
      if (!file || kind !== 'server') return;
      settings = local(file);
      writeFileSync(settings, `${content}\n`);
      const [, shown = ''] = await listen(
        `set -a && . ${settings} && METRICS_PORT=0 PORT=0 exec node dist/main.js`,
        /Start at +(http:\S+)/,
      );
      address = shown;
    },

    /** Runs the commands of a block. @returns what they printed. */
    async type({ text }: Block): Promise<string> {
      const isElsewhere = /\bDATA_DIR=|\bmove\b/.test(text);
      if (isElsewhere) await prepareMove(text);
      const shell = new Shell({ folder: at('service'), env });
      let output = '';
      try {
        if (settings && !isElsewhere) await shell.type(`set -a && . ${settings} && set +a`);
        if (isElsewhere) await shell.type(`export DATA_DIR=${at('cms-data')}`);
        for (const command of commandsOf(text)) {
          const printed = await shell.type(local(confirmed(command)));
          capture(printed);
          output += printed;
        }
        return output;
      } finally {
        await shell.close();
      }
    },

    async query({ text }: Block): Promise<void> {
      if (!server) return;
      const client = new pg.Client({ connectionString: server.url.replace(/\/postgres$/, '/cms') });
      await client.connect();
      try {
        for (const role of ['cms_service', 'cms_migrate'])
          await client.query(`DO $$ BEGIN CREATE ROLE ${role}; EXCEPTION WHEN duplicate_object THEN END $$`);
        await client.query(text);
      } finally {
        await client.end();
      }
    },

    async remove(): Promise<void> {
      if (service) await stop(service);
      await server?.remove();
      rmSync(home, { recursive: true, force: true });
    },
  };

  /** `move` needs an empty database under the name of the page. */
  async function prepareMove(text: string): Promise<void> {
    if (!server || !/\bmove\b/.test(text)) return;
    if (service) await stop(service);
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query('ALTER DATABASE cms RENAME TO cms_before');
    await client.query('CREATE DATABASE cms OWNER cms');
    await client.end();
  }
}

/** A command without the question that it asks in a terminal. */
function confirmed(command: string): string {
  return /organization delete .*--backup/.test(command) ? `${command} --yes` : command;
}

/** The variables of a file of settings, as a shell reads them. */
function variablesOf(content: string): NodeJS.ProcessEnv {
  const printed = execFileSync('bash', ['--norc', '-c', `set -a\n${content}\nenv -0`], { env: {}, encoding: 'utf8' });
  return Object.fromEntries(
    printed.split('\0').flatMap((line) => {
      const at = line.indexOf('=');
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : [];
    }),
  );
}

/** Compares JSON with an example: the same fields, with values of the same types, and items if the example has some. */
function expectShape(value: unknown, example: unknown, path = 'the response'): void {
  if (Array.isArray(example)) {
    if (!Array.isArray(value) || value.length < example.length) throw new Error(`${path} is not such a list`);
    if (example.length > 0) expectShape(value[0], example[0], `${path}[0]`);
  } else if (typeof example === 'object' && example !== null) {
    const [names, expected] = [Object.keys(Object(value)).sort(), Object.keys(example).sort()];
    if (names.join() !== expected.join()) throw new Error(`${path} has ${names}, not ${expected}`);
    for (const name of names) {
      expectShape((value as Values)[name], (example as Values)[name], `${path}.${name}`);
    }
  } else if (typeof value !== typeof example) throw new Error(`${path} is ${value}, not like ${example}`);
}

type Values = Readonly<Record<string, unknown>>;
