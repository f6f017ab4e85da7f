import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Exhausted } from '../live-preflight.ts';
import { barEntries, exhaustedText, refusalText } from '../texts.ts';
import { useLiveCheck, usePreflight } from '../use-preflight.ts';

/** Shows below the editor what the operation would cost, and why it would be refused. */
export function PreflightBar() {
  const [section, setSection] = useState<Element | null>(null);
  useEffect(() => setSection(document.querySelector('.graphiql-query-editor')), []);
  const isEmpty = useLiveCheck();
  return section && createPortal(<Bar isEmpty={isEmpty} />, section);
}

function Bar({ isEmpty }: { readonly isEmpty: boolean }) {
  const state = usePreflight();
  const refusal = refusalText(state);
  const entries = isEmpty ? [] : barEntries(state);
  return (
    <div className="preflight-bar">
      {entries.length > 0 ? (
        <dl>
          {entries.map(({ name, value, isProblem }) => (
            <div key={name} className={isProblem ? 'problem' : undefined}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p>The cost and scopes of an operation appear here as you type.</p>
      )}
      <div role="status">{refusal && !isEmpty && <p className="problem">{refusal}</p>}</div>
      {state.exhausted && <ExhaustedMessage key={state.exhausted.until} exhausted={state.exhausted} />}
    </div>
  );
}

/** Screen readers announce the first text only; the visible one counts down. */
function ExhaustedMessage({ exhausted }: { readonly exhausted: Exhausted }) {
  const [first] = useState(() => exhaustedText(exhausted, Date.now()));
  const [text, setText] = useState(first);
  useEffect(() => {
    const timer = setInterval(() => setText(exhaustedText(exhausted, Date.now())), 1_000);
    return () => clearInterval(timer);
  }, [exhausted]);
  return (
    <>
      <p role="alert" className="visually-hidden">
        {first}
      </p>
      <p className="problem" id="exhausted" aria-hidden="true">
        {text}
      </p>
    </>
  );
}
