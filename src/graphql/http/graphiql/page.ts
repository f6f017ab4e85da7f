import { Hono } from 'hono';
import type { GateEnv } from '../../../gate/gate.ts';
import { graphiqlAssets } from './assets.ts';
import { type Recipe, readCookbook } from './cookbook.ts';

export interface GraphiQLOptions {
  /** Filled in on the page; only ever the key of a demo. */
  readonly demoKey: string | undefined;
}

/** Nothing from outside: the editor's own styles are inline, its fonts and images are data. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  'font-src data:',
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * GraphiQL at `GET /graphql` for browsers, outside key and count; every other request goes on to the
 * door. All of it comes from this service.
 */
export function createGraphiQL({ demoKey }: GraphiQLOptions): Hono<GateEnv> {
  const page = new Hono<GateEnv>();
  const assets = graphiqlAssets(START);

  page.get('/', async (c, next) => {
    if (!(c.req.header('accept') ?? '').includes('text/html')) return next();
    return c.html(html(await assets.version(), await readCookbook(), demoKey), 200, {
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'no-referrer',
    });
  });

  page.route('/graphiql', assets.routes);
  return page;
}

function html(version: string, cookbook: readonly Recipe[], demoKey: string | undefined): string {
  const folder = `/graphql/graphiql/${version}`;
  const tabs = cookbook.map(({ query, variables = null }) => ({ query, variables }));
  const config = { folder, demoKey: demoKey ?? '', tabs };
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>GraphiQL · Community Membership Service</title>
  <link rel="icon" href="${folder}/favicon.ico">
  <link rel="stylesheet" href="${folder}/graphiql.css">
  <style>
    html, body { height: 100%; margin: 0; }
    body { display: flex; flex-direction: column; font: 14px/1.4 system-ui, sans-serif; }
    #key { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; padding: .5rem 1rem;
      background: #1f2937; color: #fff; }
    #key label { white-space: nowrap; font-weight: 600; }
    #key input { flex: 1 1 12rem; min-width: 0; max-width: 32rem; padding: .35rem .6rem; border: 1px solid #6b7280;
      border-radius: .3rem; font: 13px/1.4 ui-monospace, monospace; color: #111827; background: #fff; }
    #key span { color: #d1d5db; }
    #root { flex: 1; min-height: 0; }
    .graphiql-container { width: 100%; height: 100%; }
    /* An animation of the tabs' first layout never ends: a tab that gets the focus would jump from under the pointer. */
    .graphiql-tab { transform: none !important; }
    /* Colors of GraphiQL that some readers could not read. */
    .graphiql-container .graphiql-logo { color: hsl(var(--color-neutral)); }
    .monaco-editor.vs-dark .line-numbers { color: #a3aab5; }
    .monaco-editor.vs-dark .mtk8 { color: #8fbf7a; }
    .monaco-editor.vs .mtk8 { color: #06603f; }
    .graphiql-container { --color-info: 208, 100%, 34%; --color-warning: 36, 100%, 27%; --color-tertiary: 188, 100%, 25%;
      --color-success: 158, 60%, 25%; }
    .graphiql-doc-explorer-content a { text-decoration: underline; }
    /* Where panes do not fit side by side they stand one below the other, and the page scrolls. */
    @media (max-width: 48rem) {
      html, body { height: auto; }
      #root { height: 64rem; flex: none; }
      .graphiql-container .graphiql-logo { display: none; }
      .graphiql-container .graphiql-sessions { margin: var(--px-8) var(--px-8) var(--px-8) 0; }
      .graphiql-container .graphiql-main, #graphiql-session { flex-direction: column; }
      .graphiql-container .graphiql-plugin { min-width: 0 !important; border: 0; }
      .graphiql-container .graphiql-sessions { flex: 2; }
      .graphiql-horizontal-drag-bar { display: none; }
    }
  </style>
</head>
<body>
  <form id="key">
    <label for="api-key">API key</label>
    <input id="api-key" name="api-key" autocomplete="off" spellcheck="false" placeholder="cms_…">
    <span>${demoKey ? 'The demo organization’s key is filled in.' : 'Kept in this browser tab only.'}</span>
  </form>
  <noscript>GraphiQL needs JavaScript.</noscript>
  <div id="root"></div>
  <script id="config" type="application/json">${JSON.stringify(config).replaceAll('<', '\\u003c')}</script>
  <script src="${folder}/graphiql.js"></script>
  <script src="${folder}/start.js"></script>
</body>
</html>
`;
}

/** Runs in the browser. A changed key is kept for this tab, and the schema is asked for with it. */
const START = `'use strict';
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
    for (const select of root.querySelectorAll('.graphiql-plugin select')) set(select, 'aria-label', 'Kind of operation');
    for (const input of root.querySelectorAll('.graphiql-explorer-root input[type="text"]')) set(input, 'aria-label', 'Value');
  };
  const attributeFilter = ['role', 'class', 'aria-selected'];
  new MutationObserver(name).observe(root, { subtree: true, childList: true, attributes: true, attributeFilter });
  name();
})();
`;
