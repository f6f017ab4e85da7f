import { describe, expect, it } from 'vitest';
import { parseServerUrl } from '../../../src/store/connections/server-url.ts';

describe('a PostgreSQL URL', () => {
  it('becomes the configuration of the driver', () => {
    const url = 'postgresql://cms:p%40ss@db.example.org:5433/cms?sslmode=verify-full';
    expect(parseServerUrl(url)).toMatchObject({
      servers: [{ user: 'cms', password: 'p@ss', host: 'db.example.org', port: 5433, database: 'cms', ssl: {} }],
      name: 'db.example.org:5433/cms',
      pgbouncer: false,
    });
  });

  it.each([
    ['postgres://localhost', 'localhost', 'localhost'],
    ['postgresql://%2Fvar%2Frun%2Fpostgresql/cms', '%2Fvar%2Frun%2Fpostgresql/cms', '/var/run/postgresql'],
    ['postgresql:///cms?host=/var/run/postgresql', '/cms', '/var/run/postgresql'],
  ])('accepts %s', (url, name, host) => {
    expect(parseServerUrl(url)).toMatchObject({ servers: [{ host }], name, pgbouncer: false });
  });

  it('with several hosts becomes one configuration per host with the same user, database and parameters', () => {
    const shared = { user: 'cms', password: 'p', database: 'cms', application_name: 'b,c' };
    expect(
      parseServerUrl('postgresql://cms:p@one:1,[::1]:2,three/cms?application_name=b,c&pgbouncer=true'),
    ).toMatchObject({
      servers: [
        { ...shared, host: 'one', port: 1 },
        { ...shared, host: '::1', port: 2 },
        { ...shared, host: 'three' },
      ],
      name: 'one:1,[::1]:2,three/cms',
      pgbouncer: true,
    });
  });

  it('is rejected if a certificate file cannot be read, with the reason', () => {
    expect(() => parseServerUrl('postgresql://one,two/cms?sslrootcert=/does/not/exist')).toThrow(
      /^must name certificate files that can be read \(ENOENT: .*\/does\/not\/exist/,
    );
  });

  it.each(['mysql://one/cms', 'postgresql://on e:1/cms', 'postgresql://a,,b/cms', 'one,two'])('rejects %s', (url) => {
    expect(() => parseServerUrl(url)).toThrow('must be a URL that starts with postgresql:// or postgres://');
  });

  it('is rejected if it allows standbys', () => {
    expect(() => parseServerUrl('postgresql://one,two/cms?target_session_attrs=prefer-standby')).toThrow(
      'must have target_session_attrs=read-write or primary, or no such parameter, for several hosts',
    );
  });
});
