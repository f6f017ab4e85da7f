// Starts GraphiQL. A changed key is kept for this browser tab, and the schema is requested again with it.

(() => {
  const { folder, demoKey, tabs } = JSON.parse(document.getElementById('config').textContent);
  const field = document.getElementById('api-key');
  field.value = sessionStorage.getItem('api-key') ?? demoKey;
  const use = () => {
    sessionStorage.setItem('api-key', field.value.trim());
    location.reload();
  };
  field.addEventListener('change', use);
  field.form.addEventListener('submit', (event) => {
    event.preventDefault();
    use();
  });
  const workers = { editorWorkerService: 'editor', json: 'json', graphql: 'graphql' };
  self.MonacoEnvironment = {
    globalAPI: false,
    getWorkerUrl: (_module, label) => folder + '/' + (workers[label] ?? 'editor') + '.worker.js',
  };
  YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), {
    endpoint: '/graphql',
    title: 'Community Membership Service',
    shouldPersistHeaders: false,
    defaultTabs: tabs,
    additionalHeaders: () => (field.value ? { 'X-Api-Key': field.value.trim() } : {}),
  });

  // Screen readers skip the buttons that GraphiQL has inside of tabs: here the tabs are a list of buttons. And
  // what it leaves without a name gets one.
  const root = document.getElementById('root');
  const set = (element, name, value) => {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  };
  const name = () => {
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
  };
  const attributeFilter = ['role', 'class', 'aria-selected'];
  new MutationObserver(name).observe(root, { subtree: true, childList: true, attributes: true, attributeFilter });
  name();
})();
