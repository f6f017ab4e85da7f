import { readFile } from 'node:fs/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, it } from 'vitest';
import { DESCRIPTION } from '../support/prism.ts';

const description = await readFile(DESCRIPTION, 'utf8');

/** The findings of Redocly's recommended rules, warnings included, one per line. */
async function redoclyFindings(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source, absoluteRef: DESCRIPTION, config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

/** The findings of all of Spectral's rules for OpenAPI, including those not recommended, one per line. */
async function spectralFindings(source: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({
    extends: [[rulesets.oas as RulesetDefinition, 'all']],
    rules: {
      // There is no general contact: the administrators of each organization create its keys.
      'contact-properties': 'off',
      // The license has an identifier; OpenAPI 3.1 allows either that or a URL.
      'license-url': 'off',
      // Tags are listed in the order in which they are displayed, members first.
      'openapi-tags-alphabetical': 'off',
    },
  });
  return (await linter.run(source)).map(({ code, message, path }) => `${code}: ${message} ${path.join('.')}`);
}

it("passes Redocly's recommended rules", async () => {
  expect(await redoclyFindings(description)).toEqual([]);
});

it("passes all of Spectral's rules", async () => {
  expect(await spectralFindings(description)).toEqual([]);
});

it('fails both linters after errors are introduced', async () => {
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
