import { ToolbarButton, useGraphiQL } from '@graphiql/react';
import { fragmentOf } from '../tabs.ts';
import { useCopy } from './use-copy.ts';

/** Copies a link that opens the operation and the variables of the active tab. */
export function ShareButton() {
  const query = useGraphiQL((state) => state.queryEditor);
  const variables = useGraphiQL((state) => state.variableEditor);
  const [status, copy] = useCopy();
  const share = () => {
    const operation = { query: query?.getValue() ?? null, variables: variables?.getValue() ?? null };
    return copy(location.origin + location.pathname + fragmentOf(operation));
  };
  return (
    <div className="share">
      <ToolbarButton label="Share: copy a link to this operation" onClick={share}>
        <ShareIcon />
      </ToolbarButton>
      <span role="status">
        {status === 'copied' && 'Link copied'}
        {status === 'failed' && 'Copy the address of the page'}
      </span>
    </div>
  );
}

function ShareIcon() {
  return (
    <svg
      className="graphiql-toolbar-icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <path
        d="M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.5 1.5M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.5-1.5"
        strokeLinecap="round"
      />
    </svg>
  );
}
