import { readFile } from 'node:fs/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, it } from 'vitest';
import { DESCRIPTION } from '../support/prism.ts';

const description = await readFile(DESCRIPTION, 'utf8');

/** No response refers to the schema of a preflight's answer, so that the generated types of responses stay simple. */
const isUnusedOnPurpose = (finding: string) => /unused-component.*components[./]schemas[./]Preflight$/.test(finding);

/** What Redocly's recommended rules find, one line each. */
async function redoclyFindings(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: DESCRIPTION, config });
  return problems
    .map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
    .filter((finding) => !isUnusedOnPurpose(finding));
}

/** What all of Spectral's rules for OpenAPI find, those that it does not recommend too, one line each. */
async function spectralFindings(source: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({
    extends: [[rulesets.oas as RulesetDefinition, 'all']],
    rules: {
      // There is nobody to write to in general: each organization's administrators make its keys.
      'contact-properties': 'off',
      // The license is named by its identifier, and OpenAPI 3.1 allows either that or an address.
      'license-url': 'off',
      // Groups are shown in their order, and a reader looks for members first.
      'openapi-tags-alphabetical': 'off',
    },
  });
  return (await linter.run(source))
    .map(({ code, message, path }) => `${code}: ${message} ${path.join('.')}`)
    .filter((finding) => !isUnusedOnPurpose(finding));
}

it('has nothing that Redocly finds fault with', async () => {
  expect(await redoclyFindings(description)).toEqual([]);
});

it('has nothing that Spectral finds fault with', async () => {
  expect(await spectralFindings(description)).toEqual([]);
});

it('is read by both: a fault in it is found', async () => {
  const faulty = JSON.parse(description);
  const tags = faulty.paths['/tags'];
  faulty.paths = { '/tags': tags };
  delete tags.get.operationId;
  tags.get.responses['200'].content['application/json'].example.data[0].name = 5;
  const found = (findings: string[]) => findings.map((finding) => finding.slice(0, finding.indexOf(':')));
  expect(found(await redoclyFindings(JSON.stringify(faulty)))).toContain('operation-operationId');
  expect(found(await spectralFindings(JSON.stringify(faulty)))).toEqual(
    expect.arrayContaining(['operation-operationId', 'oas3-valid-media-example']),
  );
});
