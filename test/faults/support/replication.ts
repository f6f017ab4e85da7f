import { execFile, execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import {
  type Description,
  freePorts,
  idsOf,
  type OwnServer,
  own,
  POSTGRESQL_BIN,
  until,
  untilAnswers,
} from '../../support/servers/own-servers.ts';

const run = promisify(execFile);

/** A primary and a synchronous streaming standby, which can be switched. */
export interface ReplicatedPair {
  /** With both hosts. */
  readonly url: string;
  primary(): OwnServer;
  /** Runs a statement on the primary. */
  onPrimary(statement: string): Promise<pg.QueryResult>;
  /** Promotes the standby; resolves when it accepts writes. */
  promote(): Promise<void>;
  /** Recreates the former primary as a standby of the current one. */
  rebuildStandby(): Promise<void>;
  remove(): Promise<void>;
}

interface Node {
  readonly server: OwnServer;
  readonly data: string;
  readonly port: number;
}

const STANDBY = 'standby';

/** Creates the pair and waits until the standby is synchronous. */
export async function replicatedPair(): Promise<ReplicatedPair> {
  const folder = mkdtempSync(join(tmpdir(), 'cms-pair-'));
  const user: Description['user'] = process.getuid?.() === 0 ? idsOf('postgres') : {};
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const bin = (name: string) => join(POSTGRESQL_BIN as string, name);

  const node = async (name: string): Promise<Node> => {
    const [port, data] = [await freePorts(1), join(folder, name)];
    const options = ['-D', data, '-p', String(port), '-k', folder, '-h', '127.0.0.1', '-c', 'synchronous_commit=on'];
    const url = `postgresql://test@127.0.0.1:${port}/postgres`;
    return { data, port, server: own({ url, folder, port, command: bin('postgres'), options, user }) };
  };
  let [primary, standby] = [await node('one'), await node('two')];
  const url = `postgresql://test@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=read-write`;

  const query = async (server: OwnServer, statement: string) => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    return client.query(statement).finally(() => client.end());
  };
  const pair: ReplicatedPair = {
    url,
    primary: () => primary.server,
    onPrimary: (statement) => query(primary.server, statement),
    async promote() {
      await run(bin('pg_ctl'), ['promote', '-D', standby.data, '-w'], { ...user, cwd: folder });
      [primary, standby] = [standby, primary];
    },
    async rebuildStandby() {
      await standby.server.stop();
      rmSync(standby.data, { recursive: true, force: true });
      const from = `host=127.0.0.1 port=${primary.port} user=test application_name=${STANDBY}`;
      const words = ['-D', standby.data, '-R', '-X', 'stream', '-c', 'fast', '-d', from];
      await run(bin('pg_basebackup'), words, { ...user, cwd: folder });
      await standby.server.start();
      await pair.onPrimary(`ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`);
      await pair.onPrimary('SELECT pg_reload_conf()');
      await until(async () => {
        const { rows } = await pair.onPrimary('SELECT sync_state FROM pg_stat_replication');
        return rows.some(({ sync_state }) => sync_state === 'sync');
      });
    },
    async remove() {
      await Promise.all([primary.server.stop(), standby.server.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  execFileSync(bin('initdb'), ['-D', primary.data, '-U', 'test', '-A', 'trust', '-N'], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
  await primary.server.start();
  await untilAnswers(primary.server.url);
  await pair.rebuildStandby();
  return pair;
}
