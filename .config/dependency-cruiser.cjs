/** Imports point one way: main → app → rest, graphql → pages → gate → domain → store. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: `^src/${from}` },
  to: { path: '^src/', pathNot: allowed.map((path) => `^src/${path}`) },
});

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: { pathNot: 'generated' }, to: { circular: true, viaOnly: { pathNot: 'generated' } } },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, path: '^src/', pathNot: 'generated' }, to: {} },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    only('store-stands-alone', 'store/', ['store/'], 'The store knows no rules.'),
    only('domain-knows-no-door', 'domain/', ['domain/', 'store/'], 'The rules know neither HTTP nor GraphQL.'),
    only('gate-is-below-the-doors', 'gate/', ['gate/', 'domain/', 'store/'], 'Both doors pass the gate.'),
    only('pages-are-below-the-doors', 'pages/', ['pages/', 'gate/', 'domain/'], 'The frame of every page, and no rule.'),
    only('developer-is-pages', 'developer/', ['developer/', 'pages/', 'gate/', 'domain/', 'store/store'], 'What it does is the domain’s; of the store it knows the type.'),
    only('rest-stands-alone', 'rest/', ['rest/', 'gate/', 'domain/'], 'The doors never import each other.'),
    only('graphql-stands-alone', 'graphql/', ['graphql/', 'pages/', 'gate/', 'domain/', 'store/generated'], 'The doors never import each other.'),
    only('cli-goes-round-the-doors', 'cli/', ['cli/', 'transfer/', 'demo/', 'domain/', 'store/', 'settings', 'stop-request'], 'Operators need no door.'),
    only('transfer-goes-round-the-doors', 'transfer/', ['transfer/', 'domain/', 'store/'], 'Files in and out, and no rule.'),
    only('demo-is-data', 'demo/', ['demo/', 'domain/', 'store/'], 'The demo is made from the domain.'),
    {
      name: 'tracing-is-loaded-on-demand',
      comment: 'Without traces its libraries cost nothing.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/tracing' },
      to: { path: '^src/tracing|/@opentelemetry/', dynamic: false },
    },
    {
      name: 'no-development-packages-at-run-time',
      comment: 'The image has none of them.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'src-does-not-import-tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^test/(clients|bench)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
