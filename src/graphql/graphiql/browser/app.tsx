import { explorerPlugin } from '@graphiql/plugin-explorer';
import { HISTORY_PLUGIN } from '@graphiql/plugin-history';
import type { TabsState } from '@graphiql/react';
import type { Fetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import type { PageConfig } from './config.ts';
import { EditorOptions } from './editors.ts';
import type { LiveExplain } from './live-explain.ts';
import { examplesPlugin } from './panels/examples.tsx';
import { ExplainBar, LastRun } from './panels/explain.tsx';
import { restPlugin } from './panels/rest.tsx';
import { ShareButton } from './panels/share.tsx';
import type { createStorage } from './storage.ts';
import { fragmentOf, operationNameIn, type Tabs } from './tabs.ts';
import { DEFAULT_HEADERS } from './texts.ts';
import { ExplainContext } from './use-explain.ts';

interface AppProps {
  readonly config: PageConfig;
  readonly tabs: Tabs;
  readonly live: LiveExplain;
  readonly storage: ReturnType<typeof createStorage>;
}

/** The name of GraphiQL's introspection query, which distinguishes it from the operations in the editor. */
const SCHEMA_QUERY = 'GraphiQLIntrospection';

/** GraphiQL with the panels of this service. Created once, because its props must not change. */
export function createApp({ config, tabs, live, storage }: AppProps) {
  const active = tabs.tabs[tabs.activeTabIndex];
  let activeTab = active?.id ?? '';
  const fetcher: Fetcher = async ({ query, variables, operationName }, options) => {
    // The schema is a file that the browser caches, and needs no key.
    if (operationName === SCHEMA_QUERY) return (await fetch(`${config.folder}/schema.json`)).json();
    const name = operationNameIn(query, operationName);
    const request = { query, variables, operationName: name, headers: options?.headers };
    const { result, results } = await live.run(activeTab, request);
    return results ?? result;
  };
  const plugins = [
    HISTORY_PLUGIN,
    explorerPlugin({ showAttribution: false }),
    examplesPlugin(config.examples),
    restPlugin,
  ];
  const onTabChange = (state: TabsState) => {
    activeTab = state.tabs[state.activeTabIndex]?.id ?? '';
    updateAddress(state);
  };
  return (
    <ExplainContext value={live}>
      <GraphiQL
        fetcher={fetcher}
        introspectionQueryName={SCHEMA_QUERY}
        plugins={plugins}
        storage={storage}
        shouldPersistHeaders={false}
        forcedTheme="system"
        defaultEditorToolsVisibility="variables"
        defaultHeaders={DEFAULT_HEADERS}
        initialQuery={active?.query ?? ''}
        initialVariables={active?.variables ?? undefined}
        onTabChange={onTabChange}
      >
        <GraphiQL.Logo> </GraphiQL.Logo>
        <GraphiQL.Toolbar>
          {({ merge, prettify, copy }) => (
            <>
              {prettify}
              {merge}
              {copy}
              <ShareButton />
            </>
          )}
        </GraphiQL.Toolbar>
        <GraphiQL.Footer>
          <LastRun />
        </GraphiQL.Footer>
        <EditorOptions />
        <ExplainBar />
      </GraphiQL>
    </ExplainContext>
  );
}

/** Puts the active tab into the address, so that it can be shared as a link. */
export function updateAddress({ tabs, activeTabIndex }: TabsState | Tabs): void {
  history.replaceState(history.state, '', location.pathname + fragmentOf(tabs[activeTabIndex] ?? {}));
}
