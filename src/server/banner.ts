/** The text printed once the service listens. */
export function createBanner(service: {
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
    `  Start at  ${service.address}`,
    `  REST      ${service.address}/v1${service.docs ? '        (documentation at /docs)' : ''}`,
    `  GraphQL   ${service.address}/graphql${service.graphiql ? '   (GraphiQL in a browser)' : ''}`,
    ...(service.developer ? [`  API keys  ${service.address}/developer`] : []),
    `  Data      ${service.store}`,
  ];
  if (service.demoKey) {
    lines.push(
      `  Demo key  ${service.demoKey}`,
      '',
      '  Try it:',
      '',
      `  curl -H 'X-Api-Key: ${service.demoKey}' '${service.address}/v1/members?limit=2'`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
