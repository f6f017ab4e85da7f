import { chownSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Description, freePorts, idsOf, type OwnServer, own } from '../../support/servers/own-servers.ts';

const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) =>
  existsSync(path),
);

/** Whether this machine has PgBouncer. */
export const hasPgBouncer = PGBOUNCER !== undefined;

/**
 * PgBouncer in front of a server, in transaction mode, with fewer connections than the service, so that transactions of
 * one client use several sessions of the server.
 *
 * @returns its `url` has `pgbouncer=true`.
 */
export async function ownPgBouncer(server: string): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), 'cms-pgbouncer-'));
  // Like PostgreSQL, it refuses to run as root.
  const user: Description['user'] = process.getuid?.() === 0 ? idsOf('postgres') : {};
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const { hostname, port: serverPort, username, pathname } = new URL(server);
  const port = await freePorts(1);
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${serverPort}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
    ...['auth_type = trust', `auth_file = ${join(folder, 'users.txt')}`, `admin_users = ${username}`],
    ...['pool_mode = transaction', 'default_pool_size = 4', 'max_client_conn = 500', 'query_wait_timeout = 5'],
  ];
  writeFileSync(join(folder, 'users.txt'), `"${username}" ""\n`);
  writeFileSync(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
  return own({
    url: `postgresql://${username}@127.0.0.1:${port}${pathname}?pgbouncer=true`,
    folder,
    port,
    user,
    command: PGBOUNCER as string,
    options: ['-q', join(folder, 'pgbouncer.ini')],
  });
}
