// The forms of the references: the samples beside a form show its request, which is sent with the key of the page.

const keyField = document.getElementById('api-key');
try {
  keyField.value = sessionStorage.getItem('api-key') ?? keyField.value;
  keyField.addEventListener('change', () => sessionStorage.setItem('api-key', keyField.value.trim()));
} catch {
  // Browsers can block storage; the key is then that of this page only.
}
keyField.form.addEventListener('submit', (event) => event.preventDefault());

/** The headers of a response that are shown. */
const SHOWN = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'Retry-After',
  'ETag',
  'Idempotency-Replayed',
  'X-Request-Id',
];

/** The request that a form describes; fields without a value are left out. */
function requestOf({ dataset: { method, path }, elements }) {
  const request = { method, path, graphql: {}, headers: {}, body: undefined };
  const query = new URLSearchParams();
  for (const { name, value, dataset, selectedOptions } of elements) {
    const given = [...(selectedOptions ?? [{ value }])].map(({ value }) => value.trim()).filter(Boolean);
    const values = 'list' in dataset ? given.flatMap((text) => text.split(/[\s,]+/)) : given;
    if (dataset.in === 'body') request.body = value;
    else if (dataset.in === 'graphql') request.graphql[name] = value;
    else if (dataset.in === 'header') Object.assign(request.headers, values[0] && { [name]: values[0] });
    else if (dataset.in === 'query') for (const one of values) query.append(name, one);
    else if (values[0]) request.path = request.path.replace(`{${name}}`, encodeURIComponent(values[0]));
  }
  if (query.size > 0) request.path += `?${query}`;
  request.path = request.path.replaceAll("'", '%27');
  return request;
}

// The samples as they were served. The path, the body and the key are replaced in them.

const served = new Map([...document.querySelectorAll('.samples code')].map((code) => [code, code.textContent]));
const CONSTANTS = { null: 'None', true: 'True', false: 'False' };
const indented = (text, spaces) => text.replaceAll('\n', `\n${' '.repeat(spaces)}`);

/** For each language, where the body is in a sample, and how its JSON is written there. */
const BODIES = {
  curl: [/(?<=-d ).*/s, (json) => `'${json.replaceAll("'", "'\\''")}'`],
  TypeScript: [/(?<=stringify\().*(?=\),\n\}\))/s, (json) => indented(json, 2)],
  Python: [
    /(?<=json=).*(?=,\n\)\n)/s,
    (json) =>
      indented(
        json.replaceAll(/"(?:[^"\\]|\\.)*"|null|true|false/g, (token) => CONSTANTS[token] ?? token),
        4,
      ),
  ],
};
let isKeyShown = false;

/** The text of a sample for a request. */
function sampleOf(code, language, { path, body, graphql }) {
  if (language === 'GraphQL' || language === 'Variables') {
    return graphql[language === 'GraphQL' ? 'query' : 'variables'] ?? served.get(code);
  }
  const [place, write] = BODIES[language];
  const key = keyField.value.trim();
  const withBody = served.get(code).replace(place, (text) => (body === undefined ? text : write(body)));
  const sample = withBody.replace(/(?<=["']https?:\/\/[^/]+)\/[^"']*/, () => path);
  if (!isKeyShown || !/^\w+$/.test(key)) return sample;
  return sample
    .replace('$API_KEY', key)
    .replace('process.env.API_KEY!', `'${key}'`)
    .replace('os.environ["API_KEY"]', `"${key}"`);
}

/** Shows the request of a form in the samples beside it. */
function updateSamples(form) {
  const request = requestOf(form);
  for (const { dataset, firstChild } of form.closest('.entry').querySelectorAll('.samples pre')) {
    const sample = sampleOf(firstChild, dataset.language, request);
    if (firstChild.textContent !== sample) setCode(firstChild, sample);
  }
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Sends the request of a form. @throws if it is invalid, or if there is no response. */
async function send(form) {
  const { method, path, graphql, body, headers } = requestOf(form);
  headers['X-Api-Key'] = keyField.value.trim();
  if (method !== 'GET') headers['Content-Type'] = 'application/json';
  let request;
  try {
    const { query, variables } = graphql;
    const operation = query === undefined ? body : JSON.stringify({ query, variables: JSON.parse(variables || '{}') });
    request = new Request(path, { method, headers, body: operation });
  } catch (error) {
    if (error instanceof SyntaxError) throw new Error(`The variables are not JSON: ${error.message}`);
    throw new Error('The key contains characters that HTTP does not allow.');
  }
  try {
    return await fetch(request);
  } catch {
    throw new Error('The service does not respond.');
  }
}

/** Shows a response in place of the example response. */
async function showResponse(aside, response, caption) {
  const text = await response.text();
  const added = () => aside.appendChild(element('figure', { className: 'example added' }));
  const figure = aside.querySelector('.example') ?? added();
  const rows = SHOWN.filter((name) => response.headers.has(name)).map((name) =>
    element('div', {}, element('dt', {}, element('code', {}, name)), element('dd', {}, response.headers.get(name))),
  );
  const code = element('code');
  figure.replaceChildren(
    element('figcaption', { className: response.ok ? '' : 'failed' }, caption),
    element('details', {}, element('summary', {}, 'Headers'), element('dl', { className: 'fields' }, ...rows)),
    element('pre', { tabIndex: 0 }, code),
  );
  try {
    setCode(code, JSON.stringify(JSON.parse(text), null, 2));
  } catch {
    setCode(code, text);
  }
  figure.scrollIntoView({ block: 'nearest' });
}

for (const form of document.querySelectorAll('.try form')) {
  const aside = form.closest('.entry').querySelector('.aside');
  const status = form.querySelector('[role=status]');
  const example = aside.querySelector('.example');
  const original = [...(example?.childNodes ?? [])];
  form.addEventListener('input', () => updateSamples(form));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    // A double click would send a change twice.
    if (form.ariaBusy === 'true') return;
    form.ariaBusy = 'true';
    status.textContent = 'Sending…';
    status.className = '';
    try {
      const startedAt = performance.now();
      const response = await send(form);
      const milliseconds = Math.round(performance.now() - startedAt);
      const outcome = `${response.status} ${response.statusText} in ${milliseconds} ms`;
      await showResponse(aside, response, outcome);
      status.textContent = outcome;
    } catch (error) {
      status.className = 'failed';
      status.textContent = error.message;
    } finally {
      form.ariaBusy = null;
    }
  });
  form.addEventListener('reset', () => {
    status.textContent = '';
    example?.replaceChildren(...original);
    aside.querySelector('.added')?.remove();
    // The fields have their initial values after this event.
    setTimeout(() => updateSamples(form));
  });
  if (!aside.querySelector('[data-language=curl]')) continue;
  const button = element('button', { className: 'button', type: 'button', ariaPressed: 'false' }, 'Insert the key');
  button.addEventListener('click', () => {
    isKeyShown = !isKeyShown;
    updateAllSamples();
  });
  aside.querySelector('.copy').append(button);
}

/** Updates all samples when the key changes, or when it is shown or hidden. */
function updateAllSamples() {
  for (const form of document.querySelectorAll('.try form')) updateSamples(form);
  for (const button of document.querySelectorAll('.copy [aria-pressed]')) button.ariaPressed = String(isKeyShown);
}
keyField.addEventListener('input', updateAllSamples);
