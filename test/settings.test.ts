import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withSettingsTable } from '../.config/settings-table.ts';
import { InvalidSettingsError, readSettings } from '../src/settings.ts';
import { parseServerUrl } from '../src/store/connections/server-url.ts';

const messageOf = (variables: NodeJS.ProcessEnv): string => {
  try {
    readSettings(variables);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidSettingsError);
    return (error as Error).message;
  }
  return '';
};

const DEFAULTS = {
  port: 4000,
  host: '127.0.0.1',
  dataDirectory: resolve('.data'),
  databaseUrl: undefined,
  redisUrl: undefined,
  rateLimitPerMinute: 120,
  trustProxy: 0,
  maxActiveKeys: 50,
  maxStreamsPerKey: 5,
  maxStreams: 1_000,
  shutdownDelayMs: 2_000,
  allowedHosts: ['127.0.0.1'],
  logLevel: 'info',
  federation: false,
};

it('requires no variables', () => {
  expect(readSettings({})).toMatchObject(DEFAULTS);
});

it('treats an empty variable as unset', () => {
  const names = ['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'REDIS_URL', 'RATE_LIMIT_PER_MINUTE', 'TRUST_PROXY'];
  expect(readSettings(Object.fromEntries([...names, 'LOG_LEVEL'].map((name) => [name, ''])))).toMatchObject(DEFAULTS);
});

it.each([
  ['PORT', '8080', { port: 8080 }],
  ['HOST', '::1', { host: '::1', allowedHosts: ['[::1]'] }],
  ['DATA_DIR', 'here', { dataDirectory: resolve('here') }],
  ['DATABASE_URL', 'postgresql://a:b@h:5432/d', { databaseUrl: 'postgresql://a:b@h:5432/d' }],
  ['REDIS_URL', 'redis://h:6379', { redisUrl: 'redis://h:6379' }],
  ['RATE_LIMIT_PER_MINUTE', '1000', { rateLimitPerMinute: 1000 }],
  ['TRUST_PROXY', '2', { trustProxy: 2 }],
  ['MAX_ACTIVE_KEYS', '7', { maxActiveKeys: 7 }],
  ['MAX_STREAMS_PER_KEY', '20', { maxStreamsPerKey: 20 }],
  ['MAX_STREAMS', '50', { maxStreams: 50 }],
  ['SHUTDOWN_DELAY_MS', '15000', { shutdownDelayMs: 15_000 }],
  [
    'ALLOWED_HOSTS',
    '*.example.org, 192.0.2.7,[2001:db8::1]',
    { allowedHosts: ['127.0.0.1', '*.example.org', '192.0.2.7', '[2001:db8::1]'] },
  ],
  ['HOST', '::', { host: '::', allowedHosts: ['[::]'] }],
  ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
  ['DEVELOPER', 'off', { developer: false }],
  ['GRAPHQL_FEDERATION', 'on', { federation: true }],
  ['OPERATOR_PASSWORD', 'correct horse battery', { developer: true, operatorPassword: 'correct horse battery' }],
])('parses %s=%s', (name, value, settings) => {
  expect(readSettings({ [name]: value })).toMatchObject({ ...DEFAULTS, ...settings });
});

it.each([
  ['PORT', '65536'],
  ['PORT', '80.5'],
  ['RATE_LIMIT_PER_MINUTE', '0'],
  ['RATE_LIMIT_PER_MINUTE', '120/min'],
  ['TRUST_PROXY', 'true'],
  ['MAX_ACTIVE_KEYS', '0'],
  ['LOG_LEVEL', 'verbose'],
])('reports the invalid value and the valid ones of %s=%s', (name, value) => {
  const message = messageOf({ [name]: value });
  expect(message).toMatch(new RegExp(`^${name} must be (an integer from \\d+ to \\d+|one of trace, .*silent); it is `));
  expect(message).toContain(JSON.stringify(value));
});

it.each([
  'https://records.example.org',
  'records.example.org:8080',
  'a.example.org,,b.example.org',
  '*',
  'a.*.example.org',
  '2001:db8::1',
])('rejects ALLOWED_HOSTS=%s', (value) => {
  const right = 'must be host names or addresses without ports, separated by commas';
  expect(messageOf({ ALLOWED_HOSTS: value })).toBe(`ALLOWED_HOSTS ${right}; it is ${JSON.stringify(value)}`);
});

it.each([
  ['DATABASE_URL', 'mysql://user:hunter2@host/d', 'postgresql://'],
  ['DATABASE_URL', 'postgresql://user:hunter2@[host', 'postgresql://'],
  ['REDIS_URL', 'http://:hunter2@host', 'redis://'],
])('reports the valid values of %s=%s without the value', (name, value, right) => {
  const message = messageOf({ [name]: value });
  expect(message).toContain(name);
  expect(message).toContain(right);
  expect(message).not.toContain('hunter2');
});

it('reports every invalid variable on one line, without secrets', () => {
  const message = messageOf({ PORT: 'x', LOG_LEVEL: 'y', DATABASE_URL: 'postgresql://u:hunter2@h/d', REDIS_URL: 'z' });
  expect(message.split('\n').map((line) => line.split(' ')[0])).toEqual(['PORT', 'REDIS_URL', 'LOG_LEVEL']);
  expect(message).not.toContain('hunter2');
});

describe('persisted operations', () => {
  const of = (mode: string, files?: string) =>
    readSettings({ PERSISTED_OPERATIONS: mode, PERSISTED_OPERATIONS_FILE: files }).persistedOperations;

  it('are disabled by default, and read from one or several files', () => {
    expect(readSettings({}).persistedOperations).toBeUndefined();
    const files = [resolve('web.json'), '/srv/app.json'];
    expect(of('only', 'web.json, /srv/app.json')).toEqual({ mode: 'only', files });
  });

  it('require the name of a file', () => {
    expect(messageOf({ PERSISTED_OPERATIONS: 'only' })).toBe(
      'PERSISTED_OPERATIONS_FILE must be set, because PERSISTED_OPERATIONS is only',
    );
    expect(messageOf({ PERSISTED_OPERATIONS: 'yes' })).toBe(
      'PERSISTED_OPERATIONS must be off, allow or only; it is "yes"',
    );
    expect(messageOf({ PERSISTED_OPERATIONS_FILE: 'a.json,,b.json' })).toContain('must be file paths');
  });
});

describe('traces', () => {
  const tracesOf = (variables: NodeJS.ProcessEnv) => readSettings(variables).traces;

  it('are sent only if the standard variables enable them', () => {
    expect(tracesOf({})).toBe(false);
    expect(tracesOf({ OTEL_SERVICE_NAME: 'members' })).toBe(false);
    expect(tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' })).toBe(true);
    expect(tracesOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c/v1/traces' })).toBe(true);
    expect(tracesOf({ OTEL_TRACES_EXPORTER: 'otlp' })).toBe(true);
  });

  it.each([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])('are not sent with %o', (off) => {
    expect(tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector', ...off })).toBe(false);
  });

  it('are rejected if they could not be exported', () => {
    expect(messageOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' })).toContain('must be a URL');
  });
});

it.each([
  ['DATABASE_URL', 'postgresql://u:hunter2@h:99999/d'],
  ['DATABASE_URL', 'postgresql:///d?host=h&port=99999'],
  ['DATABASE_URL', 'postgresql://one:1,two:0/d'],
  ['REDIS_URL', 'redis://:hunter2@h:99999'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:99999'],
])('reports an invalid port of %s=%s without the value', (name, value) => {
  expect(messageOf({ [name]: value })).toBe(`${name} must have port numbers from 1 to 65535`);
});

describe('a value that was changed on its way into the environment', () => {
  it.each([
    ['OPERATOR_PASSWORD', 'correct horse battery\n', 'must not end with a line break; a file'],
    ['DATABASE_URL', 'postgresql://u:hunter2@h/d\r\n', 'must not end with a line break; a file'],
    ['PGPASSWORD', 'hunter2\n', 'must not end with a line break; a file'],
    ['PORT', '4000\r', 'must not end with a carriage return; the file that sets it has Windows line breaks'],
    ['HOST', '127.0.0.1\r', 'must not end with a carriage return; the file that sets it has Windows line breaks'],
    ['REDIS_URL', 'redis://h\n\n', 'must not contain line breaks, tabs or other control characters'],
    ['ALLOWED_HOSTS', 'a.example.org\tb', 'must not contain line breaks, tabs or other control characters'],
  ])('%s=%j is refused with the cause', (name, value, cause) => {
    expect(messageOf({ [name]: value })).toMatch(new RegExp(`^${name} ${cause}`));
  });

  it('by & in a shell is refused with the cause', () => {
    const path = '/etc/ssl/ca.crt';
    expect(messageOf({ sslrootcert: path, REDIS_URL: 'redis://h' })).toMatch(
      /^DATABASE_URL must be set if sslrootcert is, .* write the URL in single quotes, because & ends a command/,
    );
    expect(readSettings({ sslrootcert: path, DATABASE_URL: 'postgresql://h/d' }).databaseUrl).toBeDefined();
  });

  it.each(['DATABASE_URL', 'REDIS_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT'])('by quotes in %s is refused', (name) => {
    expect(messageOf({ [name]: `'postgresql://h/d'` })).toBe(
      `${name} must not be in quotes, which are part of the value here`,
    );
  });
});

describe('every printable character in the password of', () => {
  const characters = Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n));
  // With digits before it, the password can look like a port; percent signs escape the digits that follow.
  const passwords = [...characters, ' ', 'ß'].flatMap((character) => [`a${character}b`, `12${character}zz 3`]);

  it.each([
    ['DATABASE_URL', 'postgresql', (url: string) => parseServerUrl(url).servers[0]?.password],
    ['REDIS_URL', 'redis', (url: string) => decodeURIComponent(new URL(url).password)],
  ])('%s is used as it is, or refused with how to write it', (name, scheme, passwordOf) => {
    for (const password of passwords) {
      const message = messageOf({ [name]: `${scheme}://cms:${password}@db.example.org/cms` });
      const [, escaped = '', character = ''] =
        /^\w+ must have (\S+) instead of (\S) in its user name or password$/.exec(message) ?? [];
      if (message !== '')
        expect(message).toBe(
          `${name} must have ${encodeURIComponent(character)} instead of ${character} in its user name or password`,
        );
      const url = `${scheme}://cms:${password.replaceAll(character || '\0', escaped)}@db.example.org/cms`;
      expect(messageOf({ [name]: url })).toBe('');
      expect(passwordOf(url)).toBe(password);
      expect(new URL(url).hostname).toBe('db.example.org');
    }
  });

  it('leaves @ in parameters and in escaped form', () => {
    for (const url of ['postgresql://h/d?user=ada@azure', 'postgresql://ada%40azure:p@h/d', 'postgresql://h/a%40b'])
      expect(messageOf({ DATABASE_URL: url })).toBe('');
  });
});

describe('the documentation', () => {
  it('lists every setting with its default, and no other', () => {
    const page = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8');
    expect(page, 'the table of settings is stale: run "npm run generate"').toBe(withSettingsTable(page));
  });
});
