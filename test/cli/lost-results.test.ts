import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { onOneStore } from '../support/service.ts';
import { environment, runOk, text } from './commands/commands.ts';

onOneStore((service) => {
  /** Runs a command whose standard output fails with a system error. */
  const runWithoutOutput = async (systemCode: string, ...args: string[]) => {
    let [out, err] = ['', ''];
    const code = await run(args, {
      environment,
      stdout: undefined,
      stderr: undefined,
      passwords: {
        terminal: false,
        ask: () => Promise.reject(),
        line: () => Promise.resolve('a password of 27 letters'),
      },
      version: '1',
      out: (text) => {
        out += text;
        return Promise.reject(Object.assign(new Error(`${systemCode}: write`), { code: systemCode }));
      },
      err: (text) => {
        err += text;
      },
    });
    return { code, out, err };
  };
  const list = (command: string, organization: string) => runOk(command, 'list', '--organization', organization);

  describe.each(['ENOSPC', 'EPIPE'])('if the result cannot be written (%s)', (systemCode) => {
    it.each([
      ['key create', [], /^ {2}(cms_\w+)$/m],
      ['key create', ['--json'], /"key":"(cms_\w+)"/],
    ])('%s %j names the key and how to replace it, without the key itself', async (command, options, secret) => {
      const { id } = await service.organization();
      const args = ['--organization', id, '--name', 'Lost', '--scopes', 'tags.view', '--expires', '30', ...options];
      const { code, out, err } = await runWithoutOutput(systemCode, ...command.split(' '), ...args);
      const key = (await list('key', id)).find(({ name }: { name: string }) => name === 'Lost');
      expect(code).toBe(1);
      expect(err).toContain(
        `the result could not be written (${systemCode}: write); the API key ${key.id} was created`,
      );
      expect(err).toContain(`./cms key rotate ${key.id} --overlap 0`);
      expect(err).toContain(`./cms key revoke ${key.id}`);
      expect(err).not.toContain(secret.exec(out)?.[1]);
    });

    it('key rotate names the new key', async () => {
      const { id, keyId: old } = await service.organization();
      const { code, err } = await runWithoutOutput(systemCode, 'key', 'rotate', old);
      const replaced = (await list('key', id)).at(-1);
      expect([code, replaced.id === old]).toEqual([1, false]);
      expect(err).toContain(`the API key ${replaced.id} was created`);
    });

    it('admin create --generate names the administrator, who can be created again once revoked', async () => {
      const { id } = await service.organization();
      const args = ['admin', 'create', '--organization', id, '--email', `${id}@example.org`, '--generate'];
      const { code, out, err } = await runWithoutOutput(systemCode, ...args);
      const [lost] = await list('admin', id);
      expect(code).toBe(1);
      expect(err).toContain(`./cms admin revoke ${lost.id}`);
      expect(err).not.toContain(/^ {2}(\S+)$/m.exec(out)?.[1]);
      expect((await text('admin', 'revoke', lost.id)).code).toBe(0);
      expect((await text(...args)).code).toBe(0);
    });
  });

  it('a list fails for a full disk, and ends silently for a reader that closed the pipe', async () => {
    const { id } = await service.organization();
    const args = ['key', 'list', '--organization', id];
    expect(await runWithoutOutput('EPIPE', ...args)).toMatchObject({ code: 0, err: '' });
    const err = 'error: the result could not be written (ENOSPC: write)\n';
    expect(await runWithoutOutput('ENOSPC', ...args)).toMatchObject({ code: 1, err });
  });

  it.each([['--help'], ['--version'], ['key', 'create', '--help']])(
    '%s fails for a full disk only',
    async (...args) => {
      const err = 'error: the result could not be written (ENOSPC: write)\n';
      expect(await runWithoutOutput('ENOSPC', ...args)).toMatchObject({ code: 1, err });
      expect(await runWithoutOutput('EPIPE', ...args)).toMatchObject({ code: 0, err: '' });
    },
  );
});
