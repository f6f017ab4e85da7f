import { createServer } from 'node:http';

const query = `query Directory($search: String) {
  members(search: $search, first: 20) { nodes { firstName lastName } }
}`;

createServer(async (request, response) => {
  const search = new URL(request.url, 'http://localhost').searchParams.get('search');
  const result = await fetch('http://127.0.0.1:4000/graphql', {
    method: 'POST',
    headers: { 'X-Api-Key': process.env.API_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables: { search } }),
  });
  response.writeHead(result.status, { 'Content-Type': 'application/json' });
  response.end(await result.text());
}).listen(3000);
