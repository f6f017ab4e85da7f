import { useGraphiQL } from '@graphiql/react';
import { useEffect } from 'react';

const OPTIONS = {
  wordWrap: 'on',
  wrappingIndent: 'indent',
  fontFamily: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  fontSize: 14,
  // With it, the keyboard leaves an editor as any other field.
  tabFocusMode: true,
} as const;

/** Sets up the editors. Renders nothing. */
export function EditorOptions(): null {
  const operation = useGraphiQL(({ queryEditor }) => queryEditor);
  const variables = useGraphiQL(({ variableEditor }) => variableEditor);
  const headers = useGraphiQL(({ headerEditor }) => headerEditor);
  const response = useGraphiQL(({ responseEditor }) => responseEditor);
  useEffect(() => {
    operation?.updateOptions({ ...OPTIONS, ariaLabel: 'Operation' });
    variables?.updateOptions({ ...OPTIONS, ariaLabel: 'Variables' });
    headers?.updateOptions({ ...OPTIONS, ariaLabel: 'Headers' });
    response?.updateOptions({ ...OPTIONS, ariaLabel: 'Response' });
  }, [operation, variables, headers, response]);
  return null;
}
