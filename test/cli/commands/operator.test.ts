import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/processes/cli.ts';
import { environment, runOk, runRefused, text } from './commands.ts';

describe('cms operator', () => {
  it('prints a link that sets the password', async () => {
    const { link, expires_in_hours } = await runOk('operator', 'link', '--url', 'http://localhost:4444/');
    expect(expires_in_hours).toBe(24);
    expect(link).toMatch(/^http:\/\/localhost:4444\/developer\/set-password\?token=[\w-]{43}$/);
    expect((await text('operator', 'link')).out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/.*\n$/);
    const { code } = await runCli(
      { ...environment, OPERATOR_PASSWORD: 'the password as a setting' },
      'operator',
      'link',
    );
    expect(code).toBe(1);
  });

  it.each(['localhost:4000', 'ftp://a', 'http:a'])('refuses the URL %s', async (url) => {
    expect((await runRefused('operator', 'link', '--url', url)).details[0].field).toBe('--url');
  });
});
