import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/** The licences allowed for runtime dependencies; all permit free use and distribution. */
export const ALLOWED: readonly string[] = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'Unlicense'];

/** A runtime dependency. */
export interface LicensedPackage {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression of the package; null if it has none. */
  readonly licence: string | null;
}

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }>;
}

/** The parts of `package.json` and `package-lock.json` that describe the installed packages. */
export interface Manifests {
  readonly root: Locked;
  readonly packages: Readonly<Record<string, Locked>>;
}

/**
 * What `npm ci --omit=dev --omit=optional` installs in a folder without `.npmrc`, with licences, by name.
 *
 * `npm sbom --omit=dev` (npm 11) is not used because it omits packages that development dependencies need too,
 * such as zod and graphql.
 */
export function runtimePackages({ root, packages }: Manifests): LicensedPackage[] {
  const found = new Map<string, LicensedPackage>();
  const add = (path: string, { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }: Locked) => {
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
    for (const name of [...Object.keys(dependencies), ...peers]) {
      const at = pathOf(name, path, packages);
      const locked = packages[at] as Locked;
      if (found.has(at)) continue;
      found.set(at, { name, version: locked.version ?? '', licence: locked.license ?? null });
      add(at, locked);
    }
  };
  add('', root);
  return [...found.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** Resolves a package like Node.js: next to its dependent first, then in each parent folder. */
function pathOf(name: string, from: string, packages: Manifests['packages']): string {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '')
      throw new Error(`package-lock.json has no ${name}, which ${from || 'package.json'} needs; run npm install`);
  }
}

/** Whether every licence in an expression is allowed, whether combined by AND or OR. */
export function isAllowed({ licence }: LicensedPackage): boolean {
  const named = licence?.match(/[\w.+-]+/g)?.filter((word) => !['AND', 'OR'].includes(word)) ?? [];
  return named.length > 0 && named.every((name) => ALLOWED.includes(name));
}

/** The manifests of this repository. */
export function readManifests(): Manifests {
  const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
  return { root: read('package.json'), packages: read('package-lock.json').packages };
}

/** The packages that `npm run build` bundled into the files of GraphiQL. @throws if it was not run. */
function bundledPackages(): LicensedPackage[] {
  const path = new URL('../dist/graphiql/licences.json', import.meta.url);
  const bundled: { name: string; version: string; identifier: string | null }[] = JSON.parse(readFileSync(path, 'utf8'));
  return bundled.map(({ name, version, identifier }) => ({ name, version, licence: identifier }));
}

/** All runtime dependencies, installed or bundled, by name; each version once. */
export function usedPackages(): LicensedPackage[] {
  const all = [...runtimePackages(readManifests()), ...bundledPackages()];
  const byVersion = new Map(all.map((one) => [`${one.name}@${one.version}`, one]));
  return [...byVersion.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

const HELP = `Prints the runtime dependencies and their licences.

  npm run licences -- [--json]

Exit codes: 0 all licences are allowed, 1 one is not, 2 invalid usage.
`;

function print(args: string[]): number {
  let values: { json: boolean; help: boolean };
  try {
    const flag = { type: 'boolean', default: false } as const;
    values = parseArgs({ args, options: { json: flag, help: flag } }).values;
  } catch (error) {
    process.stderr.write(`error: ${(error as Error).message}\n\n${HELP}`);
    return 2;
  }
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const packages = usedPackages();
  const refused = packages.filter((one) => !isAllowed(one));
  process.stdout.write(values.json ? `${JSON.stringify({ allowed: ALLOWED, packages })}\n` : formatPackages(packages));
  for (const { name, licence } of refused) {
    process.stderr.write(`error: ${name} has the licence ${licence ?? '(none)'}; allowed are ${ALLOWED.join(', ')}\n`);
  }
  return refused.length > 0 ? 1 : 0;
}

function formatPackages(packages: readonly LicensedPackage[]): string {
  const counts = new Map<string, number>();
  for (const { licence } of packages) counts.set(licence ?? '(none)', (counts.get(licence ?? '(none)') ?? 0) + 1);
  const lines = packages.map(({ name, version, licence }) => `${(licence ?? '(none)').padEnd(22)} ${name} ${version}`);
  const sums = [...counts].sort(([, one], [, other]) => other - one).map(([licence, count]) => `${count} ${licence}`);
  return `${lines.join('\n')}\n\n${packages.length} packages: ${sums.join(', ')}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = print(process.argv.slice(2));
