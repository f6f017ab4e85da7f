import { describe, expect, it } from 'vitest';
import { newKey as newSecret } from '../../../src/domain/admin/api-key-secret.ts';
import { type Ran, runCli, runCliTyping } from '../../support/processes/cli.ts';
import { environment, newKey } from './commands.ts';

/** Runs the command with a line on standard input. */
function find(line: string, ...options: string[]): Promise<Ran> {
  const passwords = { terminal: false, ask: () => Promise.reject(new Error('no terminal')), line: async () => line };
  return runCliTyping(passwords, environment, 'key', 'find', ...options);
}

describe('key find', () => {
  it('shows whose key it is, its state and its id, but not the key', async () => {
    const { organization, key } = await newKey();
    const { code, out } = await find(`API_KEY=${key.key}`);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^organization_name: Hillside\nid: ${key.id}\n`));
    for (const line of [`organization_id: ${organization.id}`, 'state: active']) expect(out).toContain(`${line}\n`);
    expect(out).not.toContain(key.key);
  });

  it('prints JSON with --json', async () => {
    const { key } = await newKey();
    const { json } = await find(key.key, '--json');
    expect(json).toMatchObject({ id: key.id, organization_name: 'Hillside', state: 'active' });
  });

  it('prompts for the key on a terminal', async () => {
    const { key } = await newKey();
    const passwords = { terminal: true, ask: async () => key.key, line: () => Promise.reject(new Error('no input')) };
    const { code, out } = await runCliTyping(passwords, environment, 'key', 'find');
    expect([code, out.includes(key.id)]).toEqual([0, true]);
  });

  it('fails for an unknown key without repeating it', async () => {
    const unknown = newSecret();
    const { code, out, err } = await find(unknown);
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe('error: no API key is equal to the one on standard input; check that it is complete\n');
  });

  it('takes no key as an argument, and does not repeat it', async () => {
    const secret = newSecret();
    const { code, err } = await runCli(environment, 'key', 'find', secret);
    expect([code, err.includes(secret)]).toEqual([2, false]);
  });
});
