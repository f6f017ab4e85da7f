import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type PasswordSource, standardInput } from '../../../src/cli/password.ts';
import { checkAdministratorPassword } from '../../../src/domain/accounts/administrator.ts';
import { findSession, openSession } from '../../../src/domain/accounts/sign-in-session.ts';
import { createOrganization } from '../../../src/domain/admin/organization.ts';
import { runCliTyping } from '../../support/processes/cli.ts';
import { onOneStore } from '../../support/service.ts';
import { environment } from './commands.ts';

const PASSWORD = 'correct horse battery';

onOneStore((service) => {
  let organization: string;
  beforeAll(async () => {
    organization = (await createOrganization(service.store, { name: 'Hillside', country: 'US' }, 'test')).id;
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  const terminal = (...typed: string[]): PasswordSource => ({
    terminal: true,
    ask: async () => typed.shift() ?? '',
    line: () => Promise.reject(new Error('no line expected')),
  });
  const piped = (line: string): PasswordSource => ({
    terminal: false,
    ask: () => Promise.reject(new Error('there is no terminal')),
    line: async () => line,
  });
  const noInput = piped('');
  const cms = (passwords: PasswordSource, ...args: string[]) => runCliTyping(passwords, environment, ...args);
  const creation = (email = `admin.${randomUUID()}@example.org`) => ({
    email,
    args: ['admin', 'create', '--organization', organization, '--email', email],
  });
  const signsIn = async (email: string, password: string) =>
    (await checkAdministratorPassword(service.store, email, password)).isCorrect;

  it('creates an administrator with a generated password, shown once', async () => {
    const { email, args } = creation();
    const { code, err, json } = await cms(noInput, ...args, '--name', 'Ada', '--generate', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(json).toMatchObject({ email, name: 'Ada', organization_id: organization, state: 'active' });
    expect(await signsIn(email, json.password)).toBe(true);
    const { out } = await cms(noInput, 'admin', 'list', '--organization', organization);
    expect(out).toMatch(/^NAME +EMAIL +ID +STATE +CREATED +ORGANIZATION\n/);
    expect(out).toContain(email);
    expect(out).not.toContain(json.password);
  });

  it('prompts for the password twice on a terminal', async () => {
    const { email, args } = creation();
    const differing = await cms(terminal(PASSWORD, `${PASSWORD}!`), ...args);
    expect(differing).toMatchObject({ code: 1, err: 'error: password: the passwords do not match\n' });
    const { code, out } = await cms(terminal(PASSWORD, PASSWORD), ...args);
    expect([code, out.includes(PASSWORD)]).toEqual([0, false]);
    expect(await signsIn(email, PASSWORD)).toBe(true);
  });

  it('reads the password from standard input with --password-stdin; prompts on terminals only', async () => {
    const { email, args } = creation();
    const withoutOption = await cms(piped(PASSWORD), ...args);
    expect(withoutOption).toMatchObject({
      code: 2,
      err: 'error: --password-stdin: required when there is no terminal, unless --generate is set\n',
    });
    expect((await cms(piped(PASSWORD), ...args, '--password-stdin')).code).toBe(0);
    expect(await signsIn(email, PASSWORD)).toBe(true);
  });

  it('revokes an administrator, ending the sessions and freeing the email address', async () => {
    const { email, args } = creation();
    const { json: created } = await cms(piped(PASSWORD), ...args, '--password-stdin', '--json');
    const sessions = { prisma: service.store.prisma, operatorPassword: undefined };
    const token = await openSession(sessions, [created.id]);
    expect(await findSession(sessions, token)).toBeDefined();
    const again = await cms(piped(PASSWORD), ...args, '--password-stdin', '--json');
    expect(JSON.parse(again.err).error.code).toBe('email_in_use');
    expect((await cms(noInput, 'admin', 'revoke', created.id, '--json')).json.state).toBe('revoked');
    expect(await findSession(sessions, token)).toBeUndefined();
    expect(await signsIn(email, PASSWORD)).toBe(false);
    expect((await cms(piped(PASSWORD), ...args, '--password-stdin')).code).toBe(0);
    const unknown = await cms(noInput, 'admin', 'revoke', 'adm_unknown', '--json');
    expect(JSON.parse(unknown.err).error.code).toBe('not_found');
    const audit = (await cms(noInput, 'audit', '--organization', organization, '--record', created.id, '--json')).json;
    expect(audit.map(({ operation }: { operation: string }) => operation)).toEqual([
      'revokeAdministrator',
      'createAdministrator',
    ]);
  });

  it('reads one line of standard input, and fails if it is empty', async () => {
    const create = ['admin', 'create', '--organization', 'org_unknown', '--email', 'a@example.org', '--password-stdin'];
    const reading = async (...input: string[]) => {
      vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from(input) as typeof process.stdin);
      return JSON.parse((await cms(standardInput, ...create, '--json')).err).error;
    };
    expect((await reading(`${PASSWORD}\nanother line\n`)).code).toBe('not_found');
    expect(await reading()).toMatchObject({ code: 'invalid_request', message: 'standard input: must not be empty' });
  });
});
