import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALLOWED, usedPackages } from '../.config/licences.ts';
import { type Bom, createBom } from '../.config/sbom.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

interface Locked {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
}

/** Packages of a lockfile without a checksum, or with a download URL: npm must use the configured registry. */
function unverifiable(packages: Readonly<Record<string, Locked>>): string[] {
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .filter(([, locked]) => locked.resolved !== undefined || !(hasChecksum(locked) || isForOtherPlatform(locked)))
    .map(([path]) => path);
}

function hasChecksum({ integrity = '' }: Locked): boolean {
  return /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity);
}

/** A binary of a development tool that is not installed on Linux. */
function isForOtherPlatform({ dev, optional, os }: Locked): boolean {
  return dev === true && optional === true && os !== undefined;
}

describe('the lockfiles', () => {
  it.each(['.', 'test/clients', 'test/bench'])('%s has a checksum for each package, and no download URL', (folder) => {
    const { packages } = JSON.parse(read(`${folder}/package-lock.json`));
    expect(Object.keys(packages).length).toBeGreaterThan(50);
    expect(unverifiable(packages)).toEqual([]);
  });

  it('are rejected by these checks with a download URL, or without a checksum', () => {
    const integrity = `sha512-${'a'.repeat(86)}==`;
    expect(
      unverifiable({
        '': {},
        'node_modules/good': { integrity },
        'node_modules/other-platform': { dev: true, optional: true, os: ['win32'] },
        'node_modules/elsewhere': { resolved: 'https://registry.example.org/a.tgz', integrity },
        'node_modules/git': { resolved: 'git+ssh://git@github.com/a/a.git#1', integrity },
        'node_modules/unchecked': {},
        'node_modules/optional': { optional: true, os: ['win32'] },
        'node_modules/weak': { integrity: 'sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
      }),
    ).toEqual(['elsewhere', 'git', 'unchecked', 'optional', 'weak'].map((name) => `node_modules/${name}`));
  });
});

it('docs/security.md explains each override of package.json, with its version or dependencies', () => {
  type Override = string | Readonly<Record<string, string>>;
  const { overrides } = JSON.parse(read('package.json')) as { overrides: Record<string, Override> };
  const document = read('docs/security.md');
  const explained = (override: Override) =>
    typeof override === 'string' ? override : (override['.'] ?? Object.keys(override).join(', '));
  const missing = Object.entries(overrides).filter(
    ([name, override]) => !document.includes(`| \`${name}\` ${explained(override)} |`),
  );
  expect(missing).toEqual([]);
});

it('docs/security.md has the number of packages at run time, and the licenses that are allowed', () => {
  const text = read('docs/security.md').replaceAll(/\s+/g, ' ');
  expect(text).toContain(`uses ${usedPackages().length} packages at run time`);
  expect(text).toContain(`other than ${ALLOWED.join(', ').replace(/, (?=[^,]+$)/, ' and ')}.`);
});

it('every locked package runs on the Node.js version of the service', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { engines?: { node?: string } }>;
  };
  const newer = Object.entries(packages).filter(([, { engines }]) =>
    /^\s*(>=|\^)\s*(2[1-9]|[3-9]\d)[\d.]*\s*$/.test(engines?.node ?? ''),
  );
  expect(newer.map(([path, { engines }]) => `${path}: ${engines?.node}`)).toEqual([]);
});

it('package.json allows or denies the install script of each locked package that has one', () => {
  type Locked = { readonly hasInstallScript?: boolean };
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };
  const scripted = Object.entries(packages).filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript);
  const names = new Set(scripted.map(([path]) => path.split('node_modules/').at(-1)));
  expect([...names].sort()).toEqual(Object.keys(allowScripts).sort());
});

describe('the software bill of materials', () => {
  const bom: Bom = createBom();

  it('contains exactly the runtime dependencies', () => {
    const { components, metadata, bomFormat, specVersion } = bom;
    expect([bomFormat, specVersion]).toEqual(['CycloneDX', '1.5']);
    expect(metadata.component).toMatchObject({ name: 'community-membership-service', type: 'application' });
    const expected = usedPackages().map(({ name, version }) => `${name}@${version}`);
    expect(components.map(({ name, version }) => `${name}@${version}`).sort()).toEqual(expected.sort());
    expect(expected.length).toBeGreaterThan(150);
    expect(expected).toContainEqual(expect.stringMatching(/^monaco-editor@/));
  });

  it('contains the checksum and the package URL of each', () => {
    for (const { purl, hashes, scope } of bom.components) {
      expect(purl).toMatch(/^pkg:npm\//);
      expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
      expect(scope).toBe('required');
    }
  });
});
