import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import '@graphiql/plugin-explorer/style.css';
import 'graphiql/graphiql.css';
import './styles.css';
import './panels/panels.css';
import { createRoot } from 'react-dom/client';
import { makeAccessible } from './accessibility.ts';
import { createSendRequest } from './api.ts';
import { createApp, updateAddress } from './app.tsx';
import type { PageConfig } from './config.ts';
import { configureWorkers } from './editors.ts';
import { currentKey, startKeyForm } from './key-form.ts';
import { LiveExplain } from './live-explain.ts';
import { createStorage } from './storage.ts';
import { linkedOperation, openOperation, previousTabs } from './tabs.ts';

const STORED_TABS = 'graphiql:tabState';

// Values of `history.state`. The address always has the operation of the active tab, so only this state distinguishes a
// reload from a link that was opened. The tabs of a shared link are stored for this tab of the browser only, so the tabs
// that the browser has stored before remain as they are.
const OWN = 'own';
const SHARED = 'shared';

const root = document.getElementById('root') as HTMLElement;
if (hasStorage()) start();
else root.innerHTML = '<p>GraphiQL needs the storage of the browser, which is blocked for this site.</p>';

/** Whether the page may store data. If the browser blocks it, reading the properties throws. */
function hasStorage(): boolean {
  try {
    return Boolean(localStorage && sessionStorage);
  } catch {
    return false;
  }
}

function start(): void {
  const config: PageConfig = JSON.parse(document.getElementById('config')?.textContent ?? '');
  const key = currentKey(config.demoKey);
  const send = createSendRequest(key);
  const live = new LiveExplain(send);
  const showKeyProblem = startKeyForm(key, config.demoKey);
  live.subscribe(() => showKeyProblem(live.state().problem));

  // GraphiQL opens an empty tab unless a stored one has its initial query and variables. The tabs are therefore written
  // to its storage, and it starts with the query and variables of the active one.
  const link = linkedOperation(location.hash, location.search);
  const isReload = history.state !== null;
  const isShared = link !== undefined && history.state !== OWN;
  const tabStorage = isShared ? sessionStorage : localStorage;
  const storedTabs = isShared && !isReload ? null : tabStorage.getItem(STORED_TABS);
  const previous = previousTabs(storedTabs, isShared ? [] : config.examples);
  const tabs = link ? openOperation(previous, link) : previous;
  tabStorage.setItem(STORED_TABS, JSON.stringify(tabs));
  for (const name of ['query', 'variables']) tabStorage.removeItem(`graphiql:${name}`);
  history.replaceState(isShared ? SHARED : OWN, '');
  updateAddress(tabs);
  addEventListener('hashchange', ({ oldURL }) => {
    if (linkedOperation(location.hash, '')) location.reload();
    // The skip link leads to the content, and the address remains that of the active tab.
    else history.replaceState(isShared ? SHARED : OWN, '', oldURL);
  });

  configureWorkers();
  makeAccessible(root);
  createRoot(root).render(createApp({ config, tabs, live, storage: createStorage(tabStorage, localStorage) }));
}
