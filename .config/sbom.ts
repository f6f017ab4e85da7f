import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { usedPackages } from './licences.ts';

/** The parts of a CycloneDX document that are read or changed here. */
export interface Bom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: { readonly 'bom-ref': string; readonly name: string; readonly type: string } };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly scope?: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

/**
 * The software bill of materials of the runtime dependencies, in CycloneDX.
 *
 * npm lists everything in package-lock.json, and development dependencies are removed here: `npm sbom --omit=dev` (npm 11)
 * also removes packages that development dependencies need too, such as zod and graphql.
 */
export function createBom(): Bom {
  const all: Bom = JSON.parse(
    execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    }),
  );
  const { component } = all.metadata;
  const runtime = new Set(usedPackages().map(({ name, version }) => `${name}@${version}`));
  const components = all.components
    .filter(({ 'bom-ref': ref }) => runtime.has(ref))
    .map((one) => ({ ...one, scope: 'required', properties: one.properties?.filter(isNotAboutDevelopment) ?? [] }));
  return {
    ...all,
    // npm uses the name of the folder.
    metadata: { ...all.metadata, component: { ...component, name: 'community-membership-service' } },
    components,
    dependencies: all.dependencies
      .filter(({ ref }) => runtime.has(ref) || ref === component['bom-ref'])
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => runtime.has(other)) })),
  };
}

function isNotAboutDevelopment({ name }: { readonly name: string }): boolean {
  return name !== 'cdx:npm:package:development';
}

const HELP = `Prints the software bill of materials of the runtime dependencies in CycloneDX (JSON).

  npm run -s sbom > sbom.json

Exit codes: 0 done, 2 wrong usage.
`;

function print(args: string[]): number {
  let help: boolean;
  try {
    ({ help } = parseArgs({ args, options: { help: { type: 'boolean', default: false } } }).values);
  } catch (error) {
    process.stderr.write(`error: ${(error as Error).message}\n\n${HELP}`);
    return 2;
  }
  process.stdout.write(help ? HELP : `${JSON.stringify(createBom(), null, 2)}\n`);
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = print(process.argv.slice(2));
