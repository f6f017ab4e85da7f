import { useGraphiQL } from '@graphiql/react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Exhausted } from '../live-explain.ts';
import { type BarEntry, barEntries, exhaustedText, problemText, runEntries } from '../texts.ts';
import { useExplain, useExplainInEditor } from '../use-explain.ts';

/** Shows below the editor what the operation would cost, or why it cannot run. */
export function ExplainBar() {
  const [section, setSection] = useState<Element | null>(null);
  useEffect(() => setSection(document.querySelector('.graphiql-query-editor')), []);
  const isEmpty = useExplainInEditor();
  return section && createPortal(<Bar isEmpty={isEmpty} />, section);
}

function Bar({ isEmpty }: { readonly isEmpty: boolean }) {
  const state = useExplain();
  const problem = problemText(state);
  const entries = isEmpty ? [] : barEntries(state);
  return (
    <div className="explain-bar">
      {entries.length > 0 ? (
        <Entries entries={entries} />
      ) : (
        <p>The cost and scopes of an operation appear here as you type.</p>
      )}
      <div role="status">{problem && !isEmpty && <p className="problem">{problem}</p>}</div>
      {state.exhausted && <ExhaustedMessage key={state.exhausted.until} exhausted={state.exhausted} />}
    </div>
  );
}

/** Entries of a bar as a list. */
function Entries({ entries }: { readonly entries: readonly BarEntry[] }) {
  return (
    <dl>
      {entries.map(({ name, value, isProblem }) => (
        <div key={name} className={isProblem ? 'problem' : undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
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

/** Shows below the response the status, time and cost of the last run in the tab. */
export function LastRun() {
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.id);
  const isFetching = useGraphiQL((state) => state.isFetching);
  const run = useExplain().runs.get(tab ?? '');
  return (
    <div className="last-run" role="status">
      {run && !isFetching && <Entries entries={runEntries(run)} />}
    </div>
  );
}
