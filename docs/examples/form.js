// A page with a form, which shows the errors of an answer beside its field.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const { API_URL = 'http://127.0.0.1:4000', API_KEY, FORM_ID = 1, PORT = 3000 } = process.env;

async function send(path, { headers, ...init } = {}) {
  const response = await fetch(`${API_URL}/v1/forms/${FORM_ID}${path}`, {
    headers: { 'X-Api-Key': API_KEY, 'Content-Type': 'application/json', ...headers },
    ...init,
  });
  return response.json();
}

/** Text in HTML. */
const text = (value) => String(value ?? '').replace(/[&<>"']/g, (character) => `&#${character.codePointAt()};`);

/** The names of the parts of an answer; undefined if it has none. */
function partsOf({ field_type, collects }) {
  if (field_type === 'contact') return Object.keys(collects).filter((part) => collects[part]);
  return { payment: ['amount', 'currency'], file_upload: ['name', 'url', 'size'] }[field_type];
}

const NUMBERS = ['number', 'scale', 'amount', 'size'];
const INPUT_TYPES = { email: 'email', phone_number: 'tel', date: 'date', time: 'time' };

/** What was sent for a field or a part. Numbers that cannot be read stay text, which the service refuses. */
function valueOf(type, value) {
  return NUMBERS.includes(type) && value?.trim() && !Number.isNaN(Number(value)) ? Number(value) : value;
}

/** The answer to a field from what the browser sent. */
function answerOf(field, sent) {
  const parts = partsOf(field);
  if (field.field_type === 'multiple_choice') return sent.getAll(`${field.id}`);
  if (!parts) return valueOf(field.field_type, sent.get(`${field.id}`));
  const answer = Object.fromEntries(parts.map((part) => [part, valueOf(part, sent.get(`${field.id}.${part}`))]));
  if (Object.values(answer).every((value) => value === null || value === '')) return null;
  return field.field_type === 'file_upload' ? [answer] : answer;
}

/** One input, or one for each option, with the text that was sent before. */
function control({ field_type, options }, name, sent) {
  const type = { multiple_choice: 'checkbox', single_choice: 'radio' }[field_type];
  const active = options?.filter((option) => option.active) ?? [];
  if (type) {
    const inputs = active.map(({ value }) => {
      const checked = sent.getAll(name).includes(value) ? ' checked' : '';
      return `<label><input type="${type}" name="${name}" value="${text(value)}"${checked}> ${text(value)}</label>`;
    });
    return inputs.join('\n');
  }
  if (field_type === 'dropdown') {
    const selected = (value) => (sent.get(name) === value ? ' selected' : '');
    const items = active.map(({ value }) => `<option${selected(value)}>${text(value)}</option>`);
    return `<select name="${name}"><option></option>${items.join('')}</select>`;
  }
  if (field_type === 'paragraph') return `<textarea name="${name}">${text(sent.get(name))}</textarea>`;
  return `<input type="${INPUT_TYPES[field_type] ?? 'text'}" name="${name}" value="${text(sent.get(name))}">`;
}

/** The inputs of a field, each with its error. */
function fieldset(field, sent, errors) {
  const { id, question, is_required, description } = field;
  const error = (name) => `<strong id="error-${name}">${text(errors[`answers.${name}`])}</strong>`;
  const parts = partsOf(field)?.map((part) => {
    const name = `${id}.${part}`;
    return `<label>${part} ${control({}, name, sent)}</label> ${error(name)}`;
  });
  return `<fieldset>
    <legend>${text(question)}${is_required ? ' (required)' : ''}</legend>
    <p>${text(description)} ${error(id)}</p>
    ${parts?.join('\n') ?? control(field, `${id}`, sent)}
  </fieldset>`;
}

/** @param key makes sure that one page submits one response, even if its button is pressed twice. */
function pageOf({ title, fields }, { sent = new URLSearchParams(), errors = {}, message = '', key = randomUUID() }) {
  return `<h1>${text(title)}</h1>
  <form method="post">
    <p role="alert">${text(message)}</p>
    <input type="hidden" name="key" value="${key}">
    ${fields.map((field) => fieldset(field, sent, errors)).join('\n')}
    <button>Submit</button>
  </form>`;
}

async function page(request) {
  const { data: form, error } = await send('');
  if (error) return text(error.message);
  if (request.method !== 'POST') return pageOf(form, {});
  const sent = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
  const answers = Object.fromEntries(form.fields.map((field) => [field.id, answerOf(field, sent)]));
  const headers = { 'Idempotency-Key': sent.get('key') };
  const { error: refused } = await send('/responses', { method: 'POST', headers, body: JSON.stringify({ answers }) });
  if (!refused) return '<p>Thank you.</p>';
  const errors = Object.fromEntries(refused.details?.map(({ field, message }) => [field, message]) ?? []);
  return pageOf(form, { sent, errors, message: refused.details ? 'Correct the marked answers.' : refused.message });
}

const server = createServer(async (request, response) => {
  try {
    const body = await page(request);
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(`<!doctype html>\n${body}`);
  } catch (error) {
    console.error(error);
    response.writeHead(500).end('This page is not available at the moment.');
  }
});
server.listen(PORT, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
