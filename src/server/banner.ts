/** What the terminal shows once the service listens. */
export function createBanner(started: {
  address: string;
  store: string;
  demoKey: string | undefined;
  docs: boolean;
  graphiql: boolean;
  developer: boolean;
}): string {
  const lines = [
    '',
    `  Community Membership Service`,
    '',
    `  Start at  ${started.address}`,
    `  REST      ${started.address}/v1${started.docs ? '        (documentation at /docs)' : ''}`,
    `  GraphQL   ${started.address}/graphql${started.graphiql ? '   (GraphiQL in a browser)' : ''}`,
    ...(started.developer ? [`  API keys  ${started.address}/developer`] : []),
    `  Data      ${started.store}`,
  ];
  if (started.demoKey) {
    lines.push(
      `  Demo key  ${started.demoKey}`,
      '',
      '  Try it:',
      '',
      `  curl -H 'X-Api-Key: ${started.demoKey}' '${started.address}/v1/members?limit=2'`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
