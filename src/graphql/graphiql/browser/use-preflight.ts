import {
  tryParseJSONC,
  useGraphiQL,
  useHeadersEditorState,
  useOperationsEditorState,
  useVariablesEditorState,
} from '@graphiql/react';
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import type { ApiRequest } from './api.ts';
import { KEY_CHECK, type LivePreflight, type PreflightState } from './live-preflight.ts';
import { operationNameIn } from './tabs.ts';

/** Provides the `LivePreflight` of the page. */
export const PreflightContext = createContext<LivePreflight | undefined>(undefined);

/** Returns the results of checking the operation in the editor. */
export function usePreflight(): PreflightState {
  const live = useLive();
  return useSyncExternalStore(live.subscribe, live.state);
}

/** Checks the operation in the editors after each change. @returns whether the query is empty. */
export function useLiveCheck(): boolean {
  const live = useLive();
  const isReady = useGraphiQL(({ queryEditor, variableEditor }) => Boolean(queryEditor && variableEditor));
  const [query] = useOperationsEditorState();
  const [variables] = useVariablesEditorState();
  const [headers] = useHeadersEditorState();
  const name = useGraphiQL(({ operationName }) => operationName);
  useEffect(() => {
    if (!isReady) return;
    try {
      live.check(toRequest(query, variables, headers, name));
    } catch (error) {
      live.reject((error as Error).message);
    }
  }, [live, isReady, query, variables, headers, name]);
  return query.trim() === '';
}

function useLive(): LivePreflight {
  const live = useContext(PreflightContext);
  if (!live) throw new Error('PreflightContext is missing');
  return live;
}

/** @throws if the variables or headers are not JSON. */
function toRequest(query: string, variables: string, headers: string, name: string | undefined): ApiRequest {
  return {
    query: query.trim() === '' ? KEY_CHECK : query,
    variables: parseJson('variables', variables),
    operationName: operationNameIn(query, name),
    headers: (parseJson('headers', headers) ?? {}) as Record<string, string>,
  };
}

/** Parses JSON with comments, as GraphiQL does when it runs an operation. */
function parseJson(name: string, text: string): Record<string, unknown> | undefined {
  try {
    return tryParseJSONC(text);
  } catch (error) {
    throw new Error(`The ${name} ${(error as Error).message}`);
  }
}
