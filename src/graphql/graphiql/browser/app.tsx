import { explorerPlugin } from '@graphiql/plugin-explorer';
import { HISTORY_PLUGIN } from '@graphiql/plugin-history';
import type { TabsState } from '@graphiql/react';
import type { Fetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import type { SendRequest } from './api.ts';
import type { PageConfig } from './config.ts';
import { EditorOptions } from './editors.ts';
import type { LiveExplain } from './live-explain.ts';
import { examplesPlugin } from './panels/examples.tsx';
import { ExplainBar } from './panels/explain.tsx';
import { restPlugin } from './panels/rest.tsx';
import { storageWithoutHeaders } from './storage.ts';
import { fragmentOf, operationNameIn, type Tabs } from './tabs.ts';
import { DEFAULT_HEADERS } from './texts.ts';
import { ExplainContext } from './use-explain.ts';

interface AppProps {
  readonly config: PageConfig;
  readonly tabs: Tabs;
  readonly send: SendRequest;
  readonly live: LiveExplain;
}

/** The name of GraphiQL's introspection query, which distinguishes it from the operations in the editor. */
const SCHEMA_QUERY = 'GraphiQLIntrospection';

/** GraphiQL with the panels of this service. Created once, because its props must not change. */
export function createApp({ config, tabs, send, live }: AppProps) {
  const fetcher: Fetcher = async ({ query, variables, operationName }, options) => {
    // The schema is a file that the browser caches, and needs no key.
    if (operationName === SCHEMA_QUERY) return (await fetch(`${config.folder}/schema.json`)).json();
    const name = operationNameIn(query, operationName);
    const response = await send({ query, variables, operationName: name, headers: options?.headers });
    live.updateRateLimit(response, Date.now());
    return response.result;
  };
  const plugins = [
    HISTORY_PLUGIN,
    explorerPlugin({ showAttribution: false }),
    examplesPlugin(config.examples),
    restPlugin,
  ];
  const storage = storageWithoutHeaders(localStorage);
  const active = tabs.tabs[tabs.activeTabIndex];
  return (
    <ExplainContext value={live}>
      <GraphiQL
        fetcher={fetcher}
        introspectionQueryName={SCHEMA_QUERY}
        plugins={plugins}
        storage={storage}
        shouldPersistHeaders={false}
        defaultEditorToolsVisibility="variables"
        defaultHeaders={DEFAULT_HEADERS}
        initialQuery={active?.query ?? ''}
        initialVariables={active?.variables ?? undefined}
        onTabChange={updateAddress}
      >
        <GraphiQL.Logo> </GraphiQL.Logo>
        <EditorOptions />
        <ExplainBar />
      </GraphiQL>
    </ExplainContext>
  );
}

/** Puts the active tab into the address, so that it can be shared as a link. */
export function updateAddress({ tabs, activeTabIndex }: TabsState | Tabs): void {
  const { query = null, variables = null } = tabs[activeTabIndex] ?? {};
  history.replaceState(null, '', location.pathname + fragmentOf({ query, variables }));
}
