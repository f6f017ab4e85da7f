// Receives the changes of a webhook. Needs the package standardwebhooks, and a proxy for https.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const { PORT = '8080', WEBHOOK_SECRET } = process.env;
const webhook = new Webhook(WEBHOOK_SECRET);

// The last delivery. Store it with your copy of the records, in one transaction.
let lastId;

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  try {
    webhook.verify(body, request.headers);
  } catch {
    response.writeHead(400).end();
    return;
  }
  const id = request.headers['webhook-id'];
  // A repeated delivery has the same id, and may be answered without being processed again.
  if (id !== lastId)
    for (const change of JSON.parse(body).changes) console.log(change.operation, change.resource, change.id);
  lastId = id;
  response.writeHead(204).end();
});
await once(server.listen(PORT, '127.0.0.1'), 'listening');
console.log(`http://127.0.0.1:${server.address().port}`);
