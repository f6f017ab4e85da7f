// Starts GraphiQL with the tabs of the last visit, the query of a shared link and the key of this browser tab.

(() => {
  const { folder, demoKey, examples } = JSON.parse(document.getElementById('config').textContent);
  const root = document.getElementById('root');

  // The key: the demo organization's unless another one was entered, which is kept for this browser tab.

  const field = document.getElementById('api-key');
  const status = document.getElementById('key-status');
  const demoButton = document.getElementById('use-demo-key');
  const key = sessionStorage.getItem('api-key') ?? demoKey;
  field.value = key;
  demoButton.hidden = !demoKey || key === demoKey;
  const use = (entered) => {
    if (entered === key) return;
    if (entered === demoKey) sessionStorage.removeItem('api-key');
    else sessionStorage.setItem('api-key', entered);
    location.reload();
  };
  field.addEventListener('input', () => showStatus('typing', 'Press Enter to use this key.'));
  field.addEventListener('change', () => use(field.value.trim()));
  field.form.addEventListener('submit', (event) => {
    event.preventDefault();
    use(field.value.trim());
  });
  demoButton.addEventListener('click', () => use(demoKey));

  /** Why the schema could not be loaded; undefined before it is requested and when it is loaded. */
  let schemaProblem;
  function showStatus(state, text) {
    status.dataset.state = state;
    status.textContent = text;
  }
  function showSchemaResult(problem) {
    schemaProblem = problem;
    if (problem) showStatus('problem', problem);
    else if (key === demoKey) showStatus('accepted', 'The demo organization’s key is filled in.');
    else showStatus('accepted', 'Your key, kept in this browser tab only.');
  }

  // Requests. GraphiQL sends the introspection query under this name, and a second time when the result has no `data`.

  const INTROSPECTION = 'IntrospectionQuery';
  async function fetcher({ query, variables, operationName }, { headers } = {}) {
    const isIntrospection = operationName === INTROSPECTION;
    if (isIntrospection && !key) {
      showSchemaResult('Enter an API key to load the schema and run queries.');
      return { data: null, errors: [{ message: schemaProblem }] };
    }
    try {
      const response = await fetch('/graphql', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/graphql-response+json, application/json',
          ...(key ? { 'X-Api-Key': key } : {}),
          ...headers,
        },
        body: JSON.stringify({ query, variables, operationName }),
      });
      const result = await response.json();
      if (!isIntrospection) return result;
      showSchemaResult(result.errors?.[0]?.message);
      return { data: null, ...result };
    } catch (error) {
      if (isIntrospection) showSchemaResult('The service does not answer.');
      throw error;
    }
  }

  // Tabs. Without a tab that equals its initial query and variables, GraphiQL opens another, empty one. So the
  // state of its tabs is prepared in its own storage, and it starts with the query and variables of the active tab.

  const TABS = 'graphiql:tabState';
  const string = (value) => (typeof value === 'string' ? value : null);
  const toTab = ({ id, title, query, variables, operationName }) => {
    const name = /^\s*(?:query|mutation|subscription)\s+(\w+)/m.exec(query)?.[1];
    return {
      id: string(id) ?? Math.random().toString(36).slice(2),
      title: string(title) ?? name ?? '<untitled>',
      query,
      variables: string(variables),
      operationName: string(operationName) ?? name ?? null,
      headers: null,
      response: null,
    };
  };

  /** The tabs of the last visit but empty ones, with the position of the active one; at first one tab per example. */
  function previousTabs() {
    let state;
    try {
      state = JSON.parse(localStorage.getItem(TABS));
    } catch {
      // As if there were none.
    }
    const stored = Array.isArray(state?.tabs) ? state.tabs : [];
    const filled = stored.filter((tab) => string(tab?.query)?.trim());
    if (filled.length === 0) return { tabs: examples.map(toTab), active: 0 };
    return { tabs: filled.map(toTab), active: Math.max(0, filled.indexOf(stored[state.activeTabIndex])) };
  }

  /** The query and variables of a link, which has them in its fragment; search parameters are accepted too. */
  function linked() {
    for (const part of [location.hash, location.search]) {
      const parameters = new URLSearchParams(part.slice(1));
      const query = parameters.get('query');
      if (query?.trim()) return { query, variables: parameters.get('variables') };
    }
    return undefined;
  }

  /** The address describes the active tab. In the fragment it is not sent to servers, whose logs contain addresses. */
  function showAddress({ tabs, activeTabIndex }) {
    const { query, variables } = tabs[activeTabIndex];
    const parameters = new URLSearchParams();
    if (query) parameters.set('query', query);
    if (query && variables) parameters.set('variables', variables);
    const fragment = parameters.toString();
    history.replaceState(null, '', location.pathname + (fragment ? `#${fragment}` : ''));
  }
  addEventListener('hashchange', () => location.reload());

  function initialTab() {
    const { tabs, active } = previousTabs();
    let position = active;
    const link = linked();
    if (link) {
      const isLinked = (tab) =>
        tab.query === link.query && (link.variables === null || (tab.variables ?? '') === link.variables);
      position = isLinked(tabs[active]) ? active : tabs.findIndex(isLinked);
      if (position < 0) position = tabs.push(toTab(link)) - 1;
    }
    const state = { tabs, activeTabIndex: position };
    localStorage.setItem(TABS, JSON.stringify(state));
    for (const name of ['query', 'variables']) localStorage.removeItem(`graphiql:${name}`);
    showAddress(state);
    return tabs[position];
  }

  const workers = { editorWorkerService: 'editor', json: 'json', graphql: 'graphql' };
  self.MonacoEnvironment = {
    globalAPI: false,
    getWorkerUrl: (_module, label) => `${folder}/${workers[label] ?? 'editor'}.worker.js`,
  };
  const { query, variables } = initialTab();
  YogaGraphiQL.renderYogaGraphiQL(root, {
    title: 'Community Membership Service',
    shouldPersistHeaders: false,
    fetcher,
    query,
    variables: variables ?? undefined,
    onTabChange: showAddress,
    // Instead of Yoga's, which writes the query alone into the address.
    onEditQuery: () => {},
  });

  // The strip of tabs scrolls: the active tab is kept in view when it changes and when there is less room.

  let activeTab;
  const showActiveTab = () => {
    const tab = activeTab.getBoundingClientRect();
    const strip = activeTab.parentElement.getBoundingClientRect();
    const left = tab.left - strip.left;
    const right = tab.right - strip.right;
    if (left < 0 || right > 0) activeTab.parentElement.scrollLeft += left < 0 ? left : Math.min(left, right);
  };
  const resized = new ResizeObserver(showActiveTab);
  const followActiveTab = () => {
    const tab = root.querySelector('.graphiql-tab-active');
    if (!tab || tab === activeTab) return;
    activeTab = tab;
    resized.disconnect();
    for (const element of [tab, tab.parentElement]) resized.observe(element);
  };

  // Screen readers skip the buttons that GraphiQL has inside of tabs: here the tabs are a list of buttons. And
  // what it leaves without a name gets one.

  const set = (element, name, value) => {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  };
  const complete = () => {
    followActiveTab();
    for (const list of root.querySelectorAll('.graphiql-tabs')) set(list, 'role', 'list');
    for (const tab of root.querySelectorAll('.graphiql-tab')) {
      set(tab, 'role', 'listitem');
      tab.removeAttribute('aria-selected');
      const button = tab.querySelector('.graphiql-tab-button');
      if (button) set(button, 'aria-current', String(tab.classList.contains('graphiql-tab-active')));
    }
    for (const select of root.querySelectorAll('.graphiql-plugin select'))
      set(select, 'aria-label', 'Kind of operation');
    for (const input of root.querySelectorAll('.graphiql-explorer-root input[type="text"]'))
      set(input, 'aria-label', 'Value');
    // GraphiQL says no more than "Error fetching schema".
    const error = root.querySelector('.graphiql-doc-explorer-error');
    const message = `The schema was not loaded: ${schemaProblem}`;
    if (error && schemaProblem && error.textContent !== message) error.textContent = message;
  };
  const attributeFilter = ['role', 'class', 'aria-selected'];
  new MutationObserver(complete).observe(root, { subtree: true, childList: true, attributes: true, attributeFilter });
  complete();
})();
