/** Imports point one way: main → server, app → rest, graphql, developer, cli → pages → auth → http → rate-limit → domain → store. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: `^src/${from}` },
  to: { path: '^src/', pathNot: [from, ...allowed].map((path) => `^src/${path}`) },
});

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: { pathNot: 'generated' }, to: { circular: true, viaOnly: { pathNot: 'generated' } } },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, path: '^src/', pathNot: 'generated|/public/' }, to: {} },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    only('store', 'store/', [], 'The store knows no rules.'),
    only('domain', 'domain/', ['store/'], 'The rules know neither HTTP nor GraphQL.'),
    only('http', 'http/', ['rate-limit/', 'domain/', 'store/'], 'HTTP helpers that both APIs and the pages use.'),
    only('rate-limit', 'rate-limit/', ['domain/', 'store/'], 'Counts and paces; knows no requests.'),
    only('auth', 'auth/', ['rate-limit/', 'http/', 'domain/', 'store/'], 'Both APIs authenticate and charge here.'),
    only('pages', 'pages/', ['auth/', 'http/', 'domain/'], 'The frame of every page, and no rule.'),
    only('developer', 'developer/', ['pages/', 'auth/', 'rate-limit/', 'http/', 'domain/', 'store/store'], 'Its rules are the domain’s; of the store it knows the type.'),
    only('rest', 'rest/', ['auth/', 'rate-limit/', 'http/', 'domain/'], 'The APIs never import each other.'),
    only('graphql', 'graphql/', ['pages/', 'auth/', 'rate-limit/', 'http/', 'domain/', 'store/generated'], 'The APIs never import each other.'),
    only('import-export', 'import-export/', ['domain/', 'store/'], 'Files in and out, by the rules of the domain.'),
    only('backup', 'backup/', ['store/'], 'Copies of whole databases, whatever is in them.'),
    only('demo', 'demo/', ['domain/', 'store/'], 'The demo is made from the domain.'),
    only('cli', 'cli/', ['import-export/', 'backup/', 'demo/', 'domain/', 'store/', 'settings', 'server/stop-request'], 'Operators use the domain directly.'),
    only('observability', 'observability/', ['settings', 'auth/', 'rate-limit/', 'http/', 'domain/', 'store/'], 'Logs, metrics, traces and health of what is below.'),
    {
      name: 'tracing-is-loaded-on-demand',
      comment: 'Without traces its libraries cost nothing.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/observability/tracing' },
      to: { path: '^src/observability/tracing|/@opentelemetry/', dynamic: false },
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
