import { useGraphiQL } from '@graphiql/react';
import { runEntries } from '../texts.ts';
import { useExplain } from '../use-explain.ts';
import { Entries } from './explain.tsx';

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
