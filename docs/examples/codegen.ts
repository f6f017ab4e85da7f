import type { CodegenConfig } from '@graphql-codegen/cli';

const SCALARS = { Date: 'string', DateTime: 'string', LocalTime: 'string', Scope: 'string', JSON: 'unknown' };

const config: CodegenConfig = {
  schema: 'schema.graphql',
  documents: 'app/**/*.ts',
  generates: {
    'app/gql/': { preset: 'client', config: { scalars: SCALARS } },
  },
};

export default config;
