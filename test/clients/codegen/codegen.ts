import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  schema: '../../schema.graphql',
  documents: 'codegen/documents.ts',
  generates: {
    'generated/codegen/': {
      preset: 'client',
      config: {
        scalars: { Date: 'string', DateTime: 'string', JSON: 'unknown' },
        enumsAsTypes: true,
        useTypeImports: true,
      },
    },
  },
};

export default config;
