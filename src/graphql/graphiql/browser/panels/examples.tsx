import { type GraphiQLPlugin, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import type { Example } from '../config.ts';
import { findOperation } from '../tabs.ts';

/** The operations of the cookbook, each with its description. */
export function examplesPlugin(examples: readonly Example[]): GraphiQLPlugin {
  return { title: 'Examples', icon: ExamplesIcon, content: () => <ExamplesPanel examples={examples} /> };
}

function ExamplesPanel({ examples }: { readonly examples: readonly Example[] }) {
  const open = useOpenExample();
  return (
    <section className="examples-panel" aria-label="Examples">
      <h2>Examples</h2>
      <ul>
        {examples.map((example) => (
          <li key={example.title}>
            <button type="button" onClick={() => open(example)}>
              {example.title}
            </button>
            <p>{example.description}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Opens an example: in the tab that has it unchanged, or in a new one. */
function useOpenExample(): (example: Example) => void {
  const { addTab, changeTab } = useGraphiQLActions();
  const { tabs, activeTabIndex, queryEditor, variableEditor } = useGraphiQL((state) => ({
    tabs: state.tabs,
    activeTabIndex: state.activeTabIndex,
    queryEditor: state.queryEditor,
    variableEditor: state.variableEditor,
  }));
  return ({ query, variables }) => {
    const index = findOperation({ tabs, activeTabIndex }, { query, variables: variables ?? '' });
    if (index === activeTabIndex) return;
    if (index >= 0) return changeTab(index);
    addTab();
    queryEditor?.setValue(query);
    variableEditor?.setValue(variables ?? '');
  };
}

function ExamplesIcon() {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d="M4 5.5h16M4 12h16M4 18.5h10" strokeLinecap="round" />
    </svg>
  );
}
