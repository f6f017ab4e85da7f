// A website that shows the members of a department live, with a recipe of the cookbook. The server follows the department
// with one stream, whatever the number of visitors, and sends them each new state. Show it only to people who may see these
// members.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';

const { API_URL = 'http://127.0.0.1:4000', API_KEY, DEPARTMENT, PORT = 3000 } = process.env;

const query = await readFile(new URL('../cookbook/live-department.graphql', import.meta.url), 'utf8');

/** The responses to visitors whose pages are open. */
const visitors = new Set();
/** What visitors see: the department as JSON, `null` if there is none. */
let state = 'null';
/** The id of the last event that was received. */
let lastEventId = '';

/** Receives events until the stream ends. */
async function follow() {
  const response = await fetch(`${API_URL}/graphql`, {
    method: 'POST',
    headers: {
      'X-Api-Key': API_KEY,
      'Content-Type': 'application/json',
      Accept: 'text/event-stream',
      'Last-Event-ID': lastEventId,
    },
    body: JSON.stringify({ query }),
  });
  if (!response.ok) fail(await response.json());
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (text + chunk).split('\n\n');
    text = events.pop();
    for (const event of events) receive(event);
  }
}

/** Receives an event: lines with a name and a value. Comments have no name. */
function receive(event) {
  const { id, data } = Object.fromEntries(event.split('\n').map((line) => line.split(/: ?(.*)/s, 2)));
  if (!data) return;
  const result = JSON.parse(data);
  if (result.errors) fail(result);
  lastEventId = id;
  const { changes } = result.data;
  if (changes.id !== DEPARTMENT) return;
  state = JSON.stringify(changes.record);
  for (const visitor of visitors) visitor.write(`data: ${state}\n\n`);
}

/** Throws an error of the service. If it refuses the id, the stream begins again. */
function fail({ errors: [{ message, extensions }] }) {
  if (extensions.code === 'invalid_cursor') [lastEventId, state] = ['', 'null'];
  throw new Error(message);
}

const PAGE = `<!doctype html>
<title>Department</title>
<h1></h1>
<ul></ul>
<script>
  new EventSource('/events').onmessage = ({ data }) => {
    const department = JSON.parse(data);
    document.querySelector('h1').textContent = department?.name ?? 'There is no such department.';
    const items = (department?.members.nodes ?? []).map(({ firstName, lastName }) => {
      const item = document.createElement('li');
      item.textContent = firstName + ' ' + lastName;
      return item;
    });
    document.querySelector('ul').replaceChildren(...items);
  };
</script>`;

const server = createServer((request, response) => {
  if (request.url !== '/events') {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(PAGE);
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.write(`data: ${state}\n\n`);
  visitors.add(response);
  response.on('close', () => visitors.delete(response));
});
server.listen(PORT, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));

// A stream that breaks is continued after the last event.
for (;;) {
  await follow().catch((error) => console.error(error.message));
  await setTimeout(1000);
}
