// The forms of the references, which send requests with the key in the field at the top.

const keyField = document.getElementById('api-key');
try {
  keyField.value = sessionStorage.getItem('api-key') ?? keyField.value;
  keyField.addEventListener('change', () => sessionStorage.setItem('api-key', keyField.value.trim()));
} catch {
  // Browsers can block storage; the key is then that of this page only.
}
keyField.form.addEventListener('submit', (event) => event.preventDefault());

/** The headers of a response that are shown. */
const SHOWN = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'Retry-After', 'Idempotency-Replayed', 'X-Request-Id'];

/** The request that a form describes; empty fields are left out. @throws if it is invalid. */
function requestOf(form) {
  const headers = { 'X-Api-Key': keyField.value.trim() };
  const query = new URLSearchParams();
  const graphql = {};
  let path = form.dataset.path;
  let body;
  for (const { name, value, dataset } of form.querySelectorAll('[data-in]')) {
    if (value.trim() === '') continue;
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value.trim()));
    else if (dataset.in === 'query') query.set(name, value);
    else if (dataset.in === 'header') headers[name] = value.trim();
    else if (dataset.in === 'body') body = value;
    else graphql[name] = name === 'variables' ? parseVariables(value) : value;
  }
  if (graphql.query !== undefined) body = JSON.stringify(graphql);
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const search = query.toString();
  try {
    return new Request(search ? `${path}?${search}` : path, { method: form.dataset.method, headers, body });
  } catch {
    throw new Error('The key or a header contains characters that HTTP does not allow.');
  }
}

function parseVariables(json) {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Error(`The variables are not JSON: ${error.message}`);
  }
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

async function send(form) {
  const result = form.nextElementSibling;
  const status = element('p', { role: 'status', className: 'status' });
  result.replaceChildren(status);
  try {
    const request = requestOf(form);
    const startedAt = performance.now();
    const response = await fetch(request).catch(() => {
      throw new Error('The service does not respond.');
    });
    const text = await response.text();
    const milliseconds = Math.round(performance.now() - startedAt);
    status.classList.toggle('failed', !response.ok);
    status.textContent = `${response.status} ${response.statusText} in ${milliseconds} ms`;
    const headers = SHOWN.filter((name) => response.headers.has(name)).map((name) =>
      element('div', {}, element('dt', {}, element('code', {}, name)), element('dd', {}, response.headers.get(name))),
    );
    result.append(
      element('dl', { className: 'fields' }, ...headers),
      element('pre', { tabIndex: 0, className: 'body' }, element('code', {}, indented(text))),
    );
  } catch (error) {
    status.classList.add('failed');
    status.textContent = error.message;
  }
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

for (const form of document.querySelectorAll('.try form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form);
  });
}
