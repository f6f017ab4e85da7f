// Keeps a copy of the members and tags in a file. If it is stopped, the next run continues after the last stored page. It
// ends when the copy is up to date, so run it regularly, such as every night. With FOLLOW=on, it keeps waiting for changes.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

const { API_URL = 'http://127.0.0.1:4000', API_KEY, COPY = 'copy.json', FOLLOW = 'off' } = process.env;

/** The points of one page of this query. */
const COST = 3;
const query = `query Changes($after: String) {
  changes(first: 100, after: $after, resources: [members, tags]) {
    nodes {
      id
      record {
        ... on Member { firstName lastName emailAddress tags { id } }
        ... on Tag { name }
      }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

// A proxy may send no header, or a date instead of seconds.
const wait = (headers, name) => setTimeout(1000 * (Number(headers.get(name)) || 1));

/** Reads a page of changes, and waits when the points of the key are used up or the service is unavailable. */
async function readPage(after) {
  for (;;) {
    const { status, headers, body } = await send({ query, variables: { after } });
    // 502 and 504 come from a proxy while the service restarts.
    if (status === 429 || status === 503 || (FOLLOW === 'on' && status > 500)) {
      await wait(headers, 'Retry-After');
      continue;
    }
    if (!body) throw new Error(`The service responded with status ${status}`);
    const { data, errors } = body;
    if (errors) throw Object.assign(new Error(errors[0].message), errors[0].extensions);
    const { hasNextPage } = data.changes.pageInfo;
    if (hasNextPage && Number(headers.get('X-RateLimit-Remaining')) < COST) await wait(headers, 'X-RateLimit-Reset');
    return data.changes;
  }
}

async function send(body) {
  const headers = { 'X-Api-Key': API_KEY, 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${API_URL}/graphql`, init).catch((error) => {
    if (FOLLOW !== 'on') throw error;
    return new Response(null, { status: 503 });
  });
  return { status: response.status, headers: response.headers, body: await response.json().catch(() => undefined) };
}

/** Reads the copy; `round` counts how often it was read from the beginning. */
async function readCopy() {
  try {
    return JSON.parse(await readFile(COPY, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return { cursor: null, round: 1, records: {} };
  }
}

/** Replaces the file in one step, so that the records and the cursor always belong together. */
async function storeCopy(copy) {
  await writeFile(`${COPY}.new`, JSON.stringify(copy));
  await rename(`${COPY}.new`, COPY);
}

/** Waits until there are changes after a cursor. A failed request is repeated. */
async function waitForChanges(cursor) {
  const query = new URLSearchParams({ cursor, resources: 'members,tags', limit: '1', wait: '25' });
  for (;;) {
    try {
      const response = await fetch(`${API_URL}/v1/changes?${query}`, { headers: { 'X-Api-Key': API_KEY } });
      if (response.status === 429 || response.status === 503) await wait(response.headers, 'Retry-After');
      // readPage throws most other errors.
      else if (!response.ok) return await setTimeout(1000);
      else if ((await response.json()).data.length > 0) return;
      // The response may come early: if the service stops, or too many requests wait.
      else await setTimeout(1000);
    } catch {
      await setTimeout(1000);
    }
  }
}

const copy = await readCopy();
for (let hasNextPage = true; hasNextPage || FOLLOW === 'on'; ) {
  if (!hasNextPage) await waitForChanges(copy.cursor);
  let page;
  try {
    page = await readPage(copy.cursor);
  } catch (error) {
    if (error.code !== 'invalid_cursor' || copy.cursor === null) throw error;
    copy.cursor = null;
    copy.round += 1;
    hasNextPage = true;
    continue;
  }
  for (const { id, record } of page.nodes) {
    if (record) copy.records[id] = { ...record, round: copy.round };
    else delete copy.records[id];
  }
  copy.cursor = page.pageInfo.endCursor;
  hasNextPage = page.pageInfo.hasNextPage;
  if (!hasNextPage) {
    // After a new beginning, records that were not in the feed no longer exist.
    for (const [id, { round }] of Object.entries(copy.records)) if (round !== copy.round) delete copy.records[id];
  }
  await storeCopy(copy);
  if (!hasNextPage) console.log(`${Object.keys(copy.records).length} records`);
}
