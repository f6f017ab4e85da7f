import type { GraphiQLPlugin } from '@graphiql/react';
import { useRef } from 'react';
import { curlRequest } from '../../../../pages/curl.ts';
import type { RestRequest } from '../api.ts';
import { useExplain } from '../use-explain.ts';
import { useCopy } from './use-copy.ts';

/** The operation in the editor as requests to the REST API. */
export const restPlugin: GraphiQLPlugin = { title: 'REST', icon: RestIcon, content: RestPanel };

function RestPanel() {
  const rest = useExplain().explanation?.rest;
  return (
    <section className="rest-panel" aria-label="The same in REST">
      <h2>REST</h2>
      {!rest && <p>The equivalent REST requests of a valid operation are shown here.</p>}
      {rest && rest.requests.length === 0 && <p>This operation has no REST equivalent.</p>}
      {rest?.requests.map((request) => (
        <CurlCommand key={request.field.join('.')} request={request} />
      ))}
      {rest && rest.notExpressed.length > 0 && (
        <>
          <h3>Not in REST</h3>
          <dl>
            {rest.notExpressed.map(({ field, message }) => (
              <div key={field.join('.')}>
                <dt>
                  <code>{field.join('.')}</code>
                </dt>
                <dd>{message.split('`').map(toInline)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  );
}

/** Renders a part of a text that was split at backticks: every second part is code. */
function toInline(part: string, index: number) {
  return index % 2 === 1 ? <code key={part}>{part}</code> : part;
}

function CurlCommand({ request: { field, method, path, body } }: { readonly request: RestRequest }) {
  const code = useRef<HTMLPreElement>(null);
  const [status, copy] = useCopy();
  const json = body === undefined ? undefined : JSON.stringify(body, null, 2);
  const command = curlRequest(method, location.origin + path, json);
  const copyOrSelect = async () => {
    if ((await copy(command)) === 'failed' && code.current) getSelection()?.selectAllChildren(code.current);
  };
  return (
    <>
      <h3>
        <code>{field.join('.')}</code>
      </h3>
      <pre ref={code}>{command}</pre>
      <p>
        <button type="button" className="button" onClick={copyOrSelect}>
          Copy<span className="visually-hidden"> the command for {field.join('.')}</span>
        </button>{' '}
        <span role="status">
          {status === 'copied' && 'Copied'}
          {status === 'failed' && 'Selected: copy it with your keyboard'}
        </span>
      </p>
    </>
  );
}

function RestIcon() {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <rect x="2.5" y="4.5" width="19" height="15" rx="2" />
      <path d="m6.5 9 3 3-3 3M12 15.5h5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
