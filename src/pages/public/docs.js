// The documentation: Swagger UI on the service's own description, with the key that stands in the field above it.

const field = document.getElementById('api-key');
field.value = sessionStorage.getItem('api-key') ?? field.value;

/** What Swagger UI does differently here. */
function Accessible({ React: { createElement: h } }) {
  return {
    wrapComponents: {
      // A link inside the button that opens an operation: no keyboard reaches one of the two.
      DeepLink:
        () =>
        ({ text }) =>
          h('span', null, text),
      // Every answer has the same headers; they are there for who asks.
      headers: (Headers) => (props) =>
        h('details', { className: 'response-headers' }, h('summary', null, 'Headers'), h(Headers, props)),
    },
  };
}

const ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  plugins: [Accessible],
  onComplete: useKey,
});

function useKey() {
  const key = field.value.trim();
  sessionStorage.setItem('api-key', key);
  if (key) ui.preauthorizeApiKey('ApiKey', key);
  else ui.authActions.logout(['ApiKey']);
}

/** What some readers need and Swagger UI leaves out: names, and code that the keyboard can scroll. */
const MISSING = [
  ['main main', { role: 'group' }],
  ['select', { 'aria-label': 'Example' }],
  ['.body-param textarea', { 'aria-label': 'Request body' }],
  ['.microlight, .curl', { tabindex: '0' }],
];

function complete() {
  for (const [selector, attributes] of MISSING) {
    for (const element of document.querySelectorAll(selector)) {
      for (const [name, value] of Object.entries(attributes)) {
        if (!element.hasAttribute(name)) element.setAttribute(name, value);
      }
    }
  }
}

new MutationObserver(complete).observe(document.getElementById('docs'), { childList: true, subtree: true });

field.addEventListener('change', useKey);
field.form.addEventListener('submit', (event) => event.preventDefault());

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
