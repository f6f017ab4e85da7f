/** A server that tests use. */
interface TestServer {
  readonly name: string;
  /** The environment variable with its address. */
  readonly variable: string;
  readonly defaultUrl: string;
  /** Connects to it, and disconnects. @throws with a `code` if nothing listens at its address. */
  connect(url: string): Promise<void>;
}

/** The address of each server, or undefined if there is none. */
type Reachable<Name extends string> = Readonly<Record<Name, string | undefined>>;

/** The codes of errors of which the cause is that nothing listens. */
const ABSENT = ['ECONNREFUSED', 'ENOENT', 'ENOTFOUND'];

/**
 * Connects to the servers that tests need. Tests are skipped only on a machine that has none of them: if one is running,
 * or its address is set, a server that does not answer is an error, so that no test is skipped by accident.
 *
 * @param mode the value of `TEST_SERVERS`: `none` connects to no server, `required` never skips.
 * @param report receives the sentence that says what is skipped.
 */
export async function connectToServers<Name extends string>(
  servers: Readonly<Record<Name, TestServer>>,
  env: NodeJS.ProcessEnv,
  report: (message: string) => void,
): Promise<Reachable<Name>> {
  const names = Object.keys(servers) as Name[];
  const nothing = Object.fromEntries(names.map((name) => [name, undefined])) as Reachable<Name>;
  const skipped = 'the tests that need them are skipped';
  if (env.TEST_SERVERS === 'none') {
    report(`TEST_SERVERS is none: no PostgreSQL and no Redis are used, and ${skipped}.`);
    return nothing;
  }
  const attempts = await Promise.all(
    names.map(async (name) => {
      const { variable, defaultUrl, connect } = servers[name];
      const url = env[variable] ?? defaultUrl;
      const error = await connect(url).then(
        () => undefined,
        (reason: Error & { readonly code?: string }) => reason,
      );
      const isAbsent = env[variable] === undefined && ABSENT.includes(error?.code ?? '');
      return { url, error, isAbsent, line: `${servers[name].name} at ${url} (${variable}): ${error?.message}` };
    }),
  );
  if (env.TEST_SERVERS !== 'required' && attempts.every(({ isAbsent }) => isAbsent)) {
    report(`There is no PostgreSQL and no Redis on this machine: ${skipped}.`);
    return nothing;
  }
  const failures = attempts.filter(({ error }) => error);
  if (failures.length > 0) {
    const lines = failures.map(({ line }) => line).join('\n');
    throw new Error(`${lines}\nStart what is missing, or set TEST_SERVERS=none to skip the tests that need it.`);
  }
  return Object.fromEntries(names.map((name, index) => [name, attempts[index]?.url])) as Reachable<Name>;
}
