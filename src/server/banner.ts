import { OPERATOR_LINK_HOURS } from '../domain/accounts/operator.ts';
import { type Style, styled, type Terminal } from '../processes/terminal.ts';

/** Returns the text that is printed when the service is ready. */
export function createBanner(service: {
  /** The terminal that it is printed to, if any. */
  terminal: Terminal | undefined;
  /** The base URL. */
  address: string;
  /** Where the records are stored: a directory or `PostgreSQL`. */
  store: string;
  demoKey: string | undefined;
  docs: boolean;
  graphiql: boolean;
  developer: boolean;
  /** The token of the link that sets the operator's first password. */
  operatorToken: string | undefined;
}): string {
  const style = (name: Style, text: string) => styled(service.terminal, name, text);
  const lines = [
    '',
    `  ${style('bold', 'Community Membership Service')}`,
    '',
    `  Start at  ${style('bold', style('cyan', service.address))}`,
    `  REST      ${service.address}/v1${service.docs ? '        (documentation at /docs)' : ''}`,
    `  GraphQL   ${service.address}/graphql${service.graphiql ? '   (GraphiQL in a browser)' : ''}`,
    ...(service.developer ? [`  API keys  ${service.address}/developer`] : []),
    `  Data      ${service.store}`,
    ...(service.demoKey ? [`  Demo key  ${style('bold', style('green', service.demoKey))}`] : []),
  ];
  if (service.operatorToken) {
    lines.push(
      '',
      '  To manage API keys, set the operator password. The link works once,',
      `  within ${OPERATOR_LINK_HOURS} hours, and only on this machine:`,
      '',
      `  ${service.address}/developer/set-password?token=${service.operatorToken}`,
    );
  }
  if (service.demoKey) {
    lines.push(
      '',
      '  Try it with the demo key:',
      '',
      `  curl -H 'X-Api-Key: ${service.demoKey}' '${service.address}/v1/members?limit=2'`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
