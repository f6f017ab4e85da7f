import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import EditorWorker from 'monaco-editor/esm/vs/editor/editor.worker.js?worker';
import JsonWorker from 'monaco-editor/esm/vs/language/json/json.worker.js?worker';
import GraphQLWorker from 'monaco-graphql/esm/graphql.worker.js?worker';
import { useEffect } from 'react';

const OPTIONS = {
  wordWrap: 'on',
  wrappingIndent: 'indent',
  fontFamily: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  fontSize: 14,
} as const;

/** Selects the operation at the cursor, which the keyboard shortcut runs, so that its cost is shown before it runs. */
function useOperationAtCursor(): void {
  const editor = useGraphiQL(({ queryEditor }) => queryEditor);
  const operations = useGraphiQL(({ operations }) => operations);
  const { setOperationName } = useGraphiQLActions();
  useEffect(() => {
    const select = () => {
      const [model, position] = [editor?.getModel(), editor?.getPosition()];
      if (!model || !position) return;
      const offset = model.getOffsetAt(position);
      const found = operations?.find(({ loc }) => loc && loc.start <= offset && offset <= loc.end);
      // Until GraphiQL has parsed a changed text, the operations are those of the previous one.
      if (found?.name && found.loc?.source.body === model.getValue()) setOperationName(found.name.value);
    };
    select();
    const listener = editor?.onDidChangeCursorPosition(select);
    return () => listener?.dispose();
  }, [editor, operations, setOperationName]);
}

/** Sets up the editors. Renders nothing. */
export function EditorOptions(): null {
  const operation = useGraphiQL(({ queryEditor }) => queryEditor);
  const variables = useGraphiQL(({ variableEditor }) => variableEditor);
  const headers = useGraphiQL(({ headerEditor }) => headerEditor);
  const response = useGraphiQL(({ responseEditor }) => responseEditor);
  useEffect(() => {
    for (const [name, editor] of Object.entries({ Operation: operation, Variables: variables, Headers: headers })) {
      editor?.updateOptions({ ...OPTIONS, ariaLabel: name });
      // The container gets the focus before the editor.
      const container = editor?.getContainerDomNode();
      container?.setAttribute('role', 'group');
      container?.setAttribute('aria-label', `${name}: press Enter to edit`);
    }
    response?.updateOptions({ ...OPTIONS, ariaLabel: 'Response' });
  }, [operation, variables, headers, response]);
  // GraphiQL follows the color scheme of the system, but its editors would keep the one that they started with.
  const { setTheme } = useGraphiQLActions();
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => setTheme(null);
    dark.addEventListener('change', follow);
    return () => dark.removeEventListener('change', follow);
  }, [setTheme]);
  useOperationAtCursor();
  // Makes Tab move the focus out of an editor. The setting applies to all editors, and only this command changes it.
  useEffect(() => operation?.trigger('page', 'editor.action.toggleTabFocusMode', null), [operation]);
  return null;
}

const WORKERS: Readonly<Record<string, new () => Worker>> = { json: JsonWorker, graphql: GraphQLWorker };

/** Configures the web workers of the editors. */
export function configureWorkers(): void {
  const getWorker = (_id: string, label: string) => new (WORKERS[label] ?? EditorWorker)();
  Object.assign(globalThis, { MonacoEnvironment: { getWorker } });
}
