import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '../../runner/run-suite.ts';
import { applySteps } from './apply-steps.ts';
import { blocksOf, stepsOf } from './page.ts';
import { run, start, startedService, stop } from './running.ts';

const PAGE = 'docs/contributing.md';

/** The sections whose steps are applied, and the requests that show their result. */
const SECTIONS: Readonly<Record<string, (send: Send) => Promise<void>>> = {
  'Add a field': async ({ rest, graphql }) => {
    expectPart(await rest('GET', '/events?limit=1'), '"audience":"Everybody"');
    expectPart(await graphql('{ events(first: 1) { nodes { audience } } }'), '"audience":"Everybody"');
  },
  'Add an entity': async ({ rest, graphql }) => {
    expectPart(await rest('GET', '/announcements'), '"title":"Parking"');
    const created = await rest('POST', '/announcements', { title: 'Choir', priority: 7 });
    const [id = ''] = /ann_\w+/.exec(created) ?? [];
    const member = /mem_\w+/.exec(await rest('GET', '/members?limit=1'))?.[0];
    expectPart(await rest('PATCH', `/announcements/${id}`, { member_id: member }), `"member_id":"${member}"`);
    expectPart(
      await rest('PATCH', `/announcements/${id}`, { member_id: 'mem_01jd0000000000000000000000' }),
      'unknown member',
    );
    const record = `record { title priority memberId member { id } }`;
    expectPart(
      await graphql(
        `mutation { updateAnnouncement(input: { id: "${id}", priority: 8 }) { ${record} userErrors { message } } }`,
      ),
      `"priority":8,"memberId":"${member}","member":{"id":"${member}"}`,
    );
    expectPart(
      await graphql(`mutation { deleteAnnouncement(input: { id: "${id}" }) { ${record} } }`),
      '"title":"Choir"',
    );
    expectPart(await rest('GET', `/announcements/${id}`), 'not_found');
    const other = await graphql(
      `mutation { createAnnouncement(input: { title: "Tea", priority: 1 }) { record { id } } }`,
    );
    const path = `/announcements/${/ann_\w+/.exec(other)?.[0]}`;
    expectPart(await rest('DELETE', path), '"title":"Tea"');
    expectPart(await rest('DELETE', path), 'not_found');
    expectPart(await rest('GET', '/changes?resources=announcements&limit=100'), '"operation":"removed"');
  },
};

interface Send {
  rest(method: string, path: string, body?: object): Promise<string>;
  graphql(query: string): Promise<string>;
}

/** Applies the steps of each section to one copy of the repository, and runs what follows them. */
export async function walkContributing(root: string): Promise<Outcome> {
  const parent = mkdtempSync(join(tmpdir(), 'cms-contributing-'));
  const folder = join(parent, 'copy');
  const failures: string[] = [];
  let passed = 0;
  const attempt = async (name: string, work: () => Promise<unknown> | unknown): Promise<boolean> => {
    try {
      await work();
      passed += 1;
      return true;
    } catch (error) {
      failures.push(`${name}: ${(error as Error).message}`);
      return false;
    }
  };
  try {
    copyRepository(root, folder);
    for (const [section, requests] of Object.entries(SECTIONS)) {
      const steps = stepsOf(folder, PAGE, section);
      const commands = blocksOf(folder, PAGE).filter((one) => one.section === section && one.language === 'sh');
      const isApplied = await attempt(`the steps of “${section}”`, () => applySteps(folder, steps));
      if (!isApplied) break;
      for (const { text, place } of commands) {
        await attempt(place, async () => {
          const { code, output } = await run(text, { folder, env: process.env });
          if (code !== 0) throw new Error(`exit code ${code}: ${output.slice(-4_000)}`);
        });
      }
      await attempt(`the requests of “${section}”`, () => withService(folder, parent, requests));
    }
    await attempt('the files that are not in the steps', () => expectOnlyStepsChanged(folder));
    return { passed, failures, unstable: [] };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** Copies what is committed or would be, with a first commit, and links the installed packages. */
function copyRepository(root: string, folder: string): void {
  const files = execFileSync('git', ['ls-files', '-coz', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    encoding: 'utf8',
  });
  const deleted = execFileSync('git', ['ls-files', '-dz'], { cwd: root, encoding: 'utf8' }).split('\0');
  for (const file of files.split('\0').filter((one) => !['', 'node_modules', ...deleted].includes(one)))
    cpSync(join(root, file), join(folder, file));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Walk', '-c', 'user.email=walk@example.org', ...args], { cwd: folder });
  git('init', '--quiet');
  git('add', '--all');
  git('reset', '--quiet', 'node_modules');
  git('commit', '--quiet', '--message', 'chore: copy');
}

/** The generated files, which no step names. */
const GENERATED = ['openapi.json', 'schema.graphql', 'docs/data-model.svg', 'node_modules'];

function expectOnlyStepsChanged(folder: string): void {
  const named = Object.keys(SECTIONS).flatMap((section) => stepsOf(folder, PAGE, section).map(({ file }) => file));
  const status = execFileSync('git', ['status', '--porcelain', '-uall'], { cwd: folder, encoding: 'utf8' });
  const changed = status
    .split('\n')
    .filter(Boolean)
    .map((line) => line.slice(3));
  const others = changed.filter((file) => !named.includes(file) && !GENERATED.includes(file));
  if (others.length > 0) throw new Error(others.join(', '));
}

async function withService(folder: string, parent: string, requests: (send: Send) => Promise<void>): Promise<void> {
  const data = mkdtempSync(join(parent, 'data-'));
  const { PATH, HOME } = process.env;
  const command = start('node dist/main.js', { folder, env: { PATH, HOME, PORT: '0', DATA_DIR: data } });
  try {
    const { address, demoKey } = await startedService(command);
    const headers = { 'X-Api-Key': demoKey, 'Content-Type': 'application/json' };
    const send = async (method: string, path: string, body?: object) => {
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      return (await fetch(`${address}${path}`, init)).text();
    };
    await requests({
      rest: (method, path, body) => send(method, `/v1${path}`, body),
      graphql: (query) => send('POST', '/graphql', { query }),
    });
  } finally {
    await stop(command);
  }
}

function expectPart(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`${part} is not in ${text.slice(0, 1_000)}`);
}
