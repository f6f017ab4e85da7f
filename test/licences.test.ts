import { expect, it } from 'vitest';
import { isAllowed, type LicensedPackage, usedPackages } from '../.config/licences.ts';

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

it.each([
  [true, '(MIT AND Apache-2.0)'],
  [true, 'ISC OR BSD-3-Clause'],
  [false, null],
  [false, '(MIT AND GPL-3.0-only)'],
  [false, 'MIT OR MPL-2.0'],
  [false, 'SEE LICENSE IN FILE'],
])('is allowed: %s for %s', (expected, licence) => {
  expect(isAllowed(licensed(licence))).toBe(expected);
});
