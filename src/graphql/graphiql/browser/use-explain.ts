import {
  tryParseJSONC,
  useGraphiQL,
  useHeadersEditorState,
  useOperationsEditorState,
  useVariablesEditorState,
} from '@graphiql/react';
import { type GraphQLSchema, parse, validate } from 'graphql';
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import type { ApiRequest } from './api.ts';
import { type ExplainState, KEY_CHECK, type LiveExplain } from './live-explain.ts';
import { operationNameIn } from './tabs.ts';

/** Provides the `LiveExplain` of the page. */
export const ExplainContext = createContext<LiveExplain | undefined>(undefined);

/** Returns what is known about the operation in the editor. */
export function useExplain(): ExplainState {
  const live = useLive();
  return useSyncExternalStore(live.subscribe, live.state);
}

/** Explains the operation in the editors after each change. @returns whether the query is empty. */
export function useExplainInEditor(): boolean {
  const live = useLive();
  const isReady = useGraphiQL(({ queryEditor, variableEditor }) => Boolean(queryEditor && variableEditor));
  const [query] = useOperationsEditorState();
  const [variables] = useVariablesEditorState();
  const [headers] = useHeadersEditorState();
  const name = useGraphiQL(({ operationName }) => operationName);
  const schema = useGraphiQL((state) => state.schema);
  useEffect(() => {
    if (!isReady || !schema) return;
    try {
      const request = toRequest(query, variables, headers, name);
      requireValid(request.query, schema);
      live.explain(request);
    } catch (error) {
      live.reject((error as Error).message);
    }
  }, [live, isReady, query, variables, headers, name, schema]);
  return query.trim() === '';
}

function useLive(): LiveExplain {
  const live = useContext(ExplainContext);
  if (!live) throw new Error('ExplainContext is missing');
  return live;
}

/** Rejects an incomplete operation here, because each request costs a point. @throws if the operation is invalid. */
function requireValid(query: string, schema: GraphQLSchema): void {
  const [error] = validate(schema, parse(query), undefined, { maxErrors: 1 });
  if (error) throw error;
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
