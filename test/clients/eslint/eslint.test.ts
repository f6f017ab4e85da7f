import { join } from 'node:path';
import graphqlPlugin from '@graphql-eslint/eslint-plugin';
import { ESLint } from 'eslint';
import { expect, it } from 'vitest';
import { REPOSITORY } from '../support/tool.ts';

const eslint = new ESLint({
  cwd: REPOSITORY,
  overrideConfigFile: true,
  overrideConfig: {
    files: ['**/*.graphql'],
    languageOptions: {
      parser: graphqlPlugin.parser,
      parserOptions: {
        graphQLConfig: {
          schema: join(REPOSITORY, 'schema.graphql'),
          documents: join(REPOSITORY, 'docs/cookbook/*.graphql'),
        },
      },
    },
    plugins: { '@graphql-eslint': { rules: graphqlPlugin.rules as never } },
    rules: graphqlPlugin.configs['flat/operations-recommended'].rules as never,
  },
});

/** The findings in files, one per line. */
async function findingsOf(results: Promise<ESLint.LintResult[]>): Promise<string[]> {
  return (await results).flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, message, line }) => `${filePath}:${line} ${ruleId}: ${message}`),
  );
}

it('passes the recommended rules for operations of graphql-eslint', async () => {
  expect(await findingsOf(eslint.lintFiles('docs/cookbook/*.graphql'))).toEqual([]);
});

it('fails them after an error is introduced', async () => {
  const results = eslint.lintText('query { members { nodes { nickname } } }', {
    filePath: 'docs/cookbook/faulty.graphql',
  });
  expect(await findingsOf(results)).toContainEqual(expect.stringContaining('nickname'));
});
