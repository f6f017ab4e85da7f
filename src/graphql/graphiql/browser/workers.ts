import EditorWorker from 'monaco-editor/esm/vs/editor/editor.worker.js?worker';
import JsonWorker from 'monaco-editor/esm/vs/language/json/json.worker.js?worker';
import GraphQLWorker from 'monaco-graphql/esm/graphql.worker.js?worker';

const WORKERS: Readonly<Record<string, new () => Worker>> = { json: JsonWorker, graphql: GraphQLWorker };

/** Configures the web workers of the editors. */
export function configureWorkers(): void {
  const getWorker = (_id: string, label: string) => new (WORKERS[label] ?? EditorWorker)();
  Object.assign(globalThis, { MonacoEnvironment: { getWorker } });
}
