import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { REPOSITORY } from './tool.ts';

/** A separate organization of a test, with a key that has every scope. */
export interface Organization {
  readonly id: string;
  readonly key: string;
}

/** The records that tests of REST clients need in addition to the demo. */
export interface Organizations {
  /** Four, since a person can belong to three. */
  readonly all: readonly [Organization, Organization, Organization, Organization];
  /** A key of the first organization that can only list forms. */
  readonly narrowKey: string;
  /** A revoked key of the first organization. */
  readonly revokedKey: string;
}

/** Creates them with the service's command line while the service is running. */
export async function makeOrganizations(dataDirectory: string): Promise<Organizations> {
  const commands = openCommandLine(dataDirectory);
  const key = (organization: string, scopes: string): Promise<{ id: string; key: string }> =>
    commands.run(
      'key',
      'create',
      '--organization',
      organization,
      '--name',
      'Client',
      '--scopes',
      scopes,
      '--expires',
      'never',
    );
  const organization = async (name: string): Promise<Organization> => {
    const { id } = await commands.run<{ id: string }>('organization', 'create', '--name', name, '--country', 'US');
    return { id, key: (await key(id, 'all')).key };
  };
  try {
    const first = await organization('First');
    const all = [
      first,
      await organization('Second'),
      await organization('Third'),
      await organization('Fourth'),
    ] as const;
    const { key: narrowKey } = await key(first.id, 'forms.view');
    const revoked = await key(first.id, 'all');
    await commands.run('key', 'revoke', revoked.id);
    return { all, narrowKey, revokedKey: revoked.key };
  } finally {
    commands.close();
  }
}

/** Runs commands on a data directory, one after another. */
function openCommandLine(dataDirectory: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/clients/support/commands.mjs'], {
    cwd: REPOSITORY,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, DATA_DIR: dataDirectory },
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** @returns the JSON output of the command. @throws with its error output if it fails. */
    async run<Answer>(...args: string[]): Promise<Answer> {
      child.stdin.write(`${JSON.stringify(args)}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error(`The command line ended at "${args.join(' ')}"`);
      const { code, printed } = JSON.parse(value) as { code: number; printed: string };
      if (code !== 0) throw new Error(`"${args.join(' ')}" ended with ${code}: ${printed}`);
      return JSON.parse(printed) as Answer;
    },
    close: () => child.stdin.end(),
  };
}
