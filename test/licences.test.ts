import { expect, it } from 'vitest';
import { isAllowed, type LicensedPackage, runtimePackages, usedPackages } from '../.config/licences.ts';

const licensed = (licence: string | null): LicensedPackage => ({ name: 'one', version: '1.0.0', licence });

it('finds an allowed licence for every runtime dependency', () => {
  const packages = usedPackages();
  expect(packages.filter((one) => !isAllowed(one))).toEqual([]);
  expect(packages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['hono', 'graphql', 'pg-protocol', 'zod', 'monaco-editor']),
  );
});

it('excludes development dependencies', () => {
  const names = usedPackages().map(({ name }) => name);
  expect(names.filter((name) => ['prisma', 'typescript', 'vitest'].includes(name))).toEqual([]);
});

it('resolves transitive and peer dependencies to their installed versions', () => {
  const manifests = {
    root: { dependencies: { a: '1' } },
    packages: {
      'node_modules/a': {
        version: '1.0.0',
        license: 'MIT',
        dependencies: { b: '1' },
        peerDependencies: { c: '*', d: '*' },
        peerDependenciesMeta: { d: { optional: true } },
      },
      'node_modules/a/node_modules/b': { version: '1.0.0', license: 'ISC' },
      'node_modules/b': { version: '2.0.0', license: 'GPL-3.0' },
      'node_modules/c': { version: '3.0.0' },
      'node_modules/d': { version: '4.0.0', license: 'MIT' },
    },
  };
  expect(runtimePackages(manifests)).toEqual([
    { name: 'a', version: '1.0.0', licence: 'MIT' },
    { name: 'b', version: '1.0.0', licence: 'ISC' },
    { name: 'c', version: '3.0.0', licence: null },
  ]);
});

it.each(['MIT', '(MIT AND Apache-2.0)', 'ISC OR BSD-3-Clause'])('allows %s', (licence) => {
  expect(isAllowed(licensed(licence))).toBe(true);
});

it.each([null, '', 'EPL-2.0', '(MIT AND GPL-3.0-only)', 'MIT OR MPL-2.0', 'SEE LICENSE IN FILE'])(
  'rejects %s',
  (licence) => {
    expect(isAllowed(licensed(licence))).toBe(false);
  },
);
