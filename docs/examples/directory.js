// A website with a directory of members, a form that edits a member, and a calendar. It runs recipes of the cookbook.
// Show it only to people who may see and edit all members.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { daysOf, entriesOf } from './calendar.js';

const { API_URL = 'http://127.0.0.1:4000', API_KEY, PORT = 3000 } = process.env;

/** Runs a recipe. @returns its data; null if it failed. */
async function run(recipe, variables) {
  const query = await readFile(new URL(`../cookbook/${recipe}.graphql`, import.meta.url), 'utf8');
  const response = await fetch(`${API_URL}/graphql`, {
    method: 'POST',
    headers: { 'X-Api-Key': API_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()).data;
}

/** Text in HTML. */
const text = (value) => String(value ?? '').replace(/[&<>"']/g, (character) => `&#${character.codePointAt()};`);

async function directory({ searchParams }) {
  const [search, after] = [searchParams.get('search'), searchParams.get('after')];
  const data = await run('directory', { search, after, first: 20 });
  if (!data) return 'The directory is not available at the moment.';
  const { edges, pageInfo } = data.members;
  const people = edges.map(
    ({ node }) => `<li><a href="/members/${text(node.id)}">${text(`${node.firstName} ${node.lastName}`)}</a></li>`,
  );
  const next = new URLSearchParams({ search: search ?? '', after: pageInfo.endCursor ?? '' });
  return `<form>
    <input type="search" name="search" aria-label="Search" value="${text(search)}"> <button>Search</button>
  </form>
  <ul>${people.join('\n')}</ul>
  ${pageInfo.hasNextPage ? `<a href="/?${text(next)}">Next page</a>` : ''}`;
}

const FIELDS = {
  firstName: 'First name',
  lastName: 'Last name',
  emailAddress: 'Email address',
  phoneNumber: 'Phone number',
  address: 'Address',
  city: 'City',
};

/** @param values what is in the fields. @param errors the messages beside the fields. */
function form({ values, updatedAt, message = '', errors = {} }) {
  const fields = Object.entries(FIELDS).map(
    ([name, label]) =>
      `<p><label>${label} <input name="${name}" value="${text(values[name])}"></label> ${text(errors[name])}</p>`,
  );
  return `<form method="post">
    <p role="alert">${text(message)}</p>
    <input type="hidden" name="expectedUpdatedAt" value="${text(updatedAt)}">
    ${fields.join('\n')}
    <button>Save</button> <a href="/">Cancel</a>
  </form>`;
}

async function member(id) {
  return (await run('member-form', { id }))?.member;
}

async function edit(id) {
  const values = await member(id);
  return values ? form({ values, updatedAt: values.updatedAt }) : 'There is no such member.';
}

/** Saves the form: emptied fields are cleared. @returns the form again if it was refused, otherwise undefined. */
async function save(id, sent) {
  const { expectedUpdatedAt, ...values } = Object.fromEntries(sent);
  const data = await run('update-member', { input: { id, expectedUpdatedAt, ...values } });
  const { userErrors } = data?.updateMember ?? { userErrors: [{ field: null, message: 'Saving failed. Try again.' }] };
  if (userErrors.length === 0) return undefined;
  if (userErrors[0].code === 'precondition_failed') {
    const current = await member(id);
    const others = Object.keys(FIELDS).filter((name) => (current[name] ?? '') !== values[name]);
    const errors = Object.fromEntries(others.map((name) => [name, `Stored now: ${current[name] ?? 'nothing'}`]));
    const message = 'This member has been changed since you opened the form. Save again to replace the stored values.';
    return form({ values, updatedAt: current.updatedAt, message, errors });
  }
  const message = userErrors.find(({ field }) => field === null)?.message ?? 'Correct the marked fields.';
  const errors = Object.fromEntries(userErrors.map(({ field, message }) => [field?.[0], message]));
  return form({ values, updatedAt: expectedUpdatedAt, message, errors });
}

async function calendar({ searchParams }) {
  const [month = new Date().toISOString().slice(0, 7)] = /^\d{4}-\d\d$/.exec(searchParams.get('month')) ?? [];
  const { from, until } = daysOf(month);
  const data = await run('calendar', { from, until });
  if (!data?.events || !data.services) return 'The calendar is not available at the moment.';
  const entries = entriesOf(data, from, until).map(
    ({ date, startTime, title }) => `<li>${text(`${date} ${startTime ?? ''} ${title}`)}</li>`,
  );
  return `<ul>${entries.join('\n')}</ul>`;
}

async function page(url, request) {
  const [, id] = /^\/members\/(\w+)$/.exec(url.pathname) ?? [];
  if (!id) return url.pathname === '/calendar' ? calendar(url) : directory(url);
  if (request.method !== 'POST') return edit(id);
  return save(id, new URLSearchParams(Buffer.concat(await request.toArray()).toString()));
}

const server = createServer(async (request, response) => {
  try {
    const body = await page(new URL(request.url, 'http://localhost'), request);
    if (body === undefined) return response.writeHead(303, { Location: '/' }).end();
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(`<!doctype html>\n${body}`);
  } catch (error) {
    console.error(error);
    response.writeHead(500).end('This page is not available at the moment.');
  }
});
server.listen(PORT, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
