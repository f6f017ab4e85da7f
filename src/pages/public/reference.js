// The references: search, and one language for all samples.

// On narrow screens, the navigation is above the content and collapsed.

const nav = document.querySelector('.contents');
const folded = nav.querySelector('details');
const wide = matchMedia('(min-width: 50rem)');
const fold = () => {
  folded.open = wide.matches;
};
wide.addEventListener('change', fold);
fold();
nav.addEventListener('click', ({ target }) => {
  if (target.closest('a')) fold();
});

// The results of a search replace the contents: those of the page of results, which shows them without JavaScript.

const byId = new Map([...nav.querySelectorAll('a:not(.group)')].map((link) => [link.hash.slice(1), link]));
const form = nav.querySelector('.search');
const status = document.getElementById('found');
const hits = nav.querySelector('.hits');
const contents = hits.nextElementSibling;
let latest;

/** How long to wait for further input, because each search counts against the limit of the address. */
const PAUSE_MS = 200;

/** The results, the best first: each with its link and why it was found; otherwise what the reader is told. */
async function find(q, signal) {
  try {
    const response = await fetch(`${form.action}?${new URLSearchParams({ q })}`, { signal });
    if (response.status === 429) return 'Too many searches; try again in a minute';
    if (!response.ok) return 'The search is too long';
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    return [...page.querySelectorAll('.results section')].map((section) => {
      const item = document.createElement('li');
      item.append(...section.querySelectorAll('a, p'));
      return item;
    });
  } catch {
    return 'The service does not respond';
  }
}

/** Says what else to try. */
function showNothingFound(q) {
  const { otherPath, otherTitle } = form.dataset;
  const link = document.createElement('a');
  link.href = `${otherPath}/search?${new URLSearchParams({ q })}`;
  link.textContent = otherTitle;
  status.replaceChildren('Nothing found. Try fewer words or a part of a word, or search the ', link, '.');
}

/** Shows the sections that match. If the form was submitted, opens the best match, or the page of results. */
async function search(event) {
  event.preventDefault();
  // The responses to earlier queries are not needed, and could arrive later.
  latest?.abort();
  latest = new AbortController();
  const { signal } = latest;
  const q = form.q.value.trim();
  if (event.type === 'input' && q !== '') await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  const found = q === '' || signal.aborted ? undefined : await find(q, signal);
  if (signal.aborted) return;
  const items = Array.isArray(found) ? found : undefined;
  hits.replaceChildren(...(items ?? []));
  hits.hidden = items === undefined;
  contents.hidden = items !== undefined;
  if (q === '') status.textContent = '';
  else if (items?.length === 0) showNothingFound(q);
  else status.textContent = items ? `${items.length} found` : found;
  if (event.type !== 'submit') return;
  if (items === undefined) form.submit();
  // Not `location.hash`, which does nothing if the address has this fragment already.
  else items[0]?.querySelector('a').click();
}
form.addEventListener('input', search);
form.addEventListener('submit', search);

// `/` and Ctrl+K lead to the search.

addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select');
  const isShortcut = event.key === 'k' ? event.ctrlKey || event.metaKey : event.key === '/' && !isTyping;
  if (!isShortcut || event.altKey) return;
  event.preventDefault();
  folded.open = true;
  form.q.focus();
  form.q.select();
});

// Marks the section in view in the navigation.

let current;
const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      const link = byId.get(target.id);
      if (!isIntersecting || !link || link === current) continue;
      current?.removeAttribute('aria-current');
      current = link;
      link.setAttribute('aria-current', 'location');
      const { top, bottom } = link.getBoundingClientRect();
      if (wide.matches && (top < 0 || bottom > innerHeight)) nav.scrollTop += top - innerHeight / 2;
    }
  },
  { rootMargin: '-10% 0px -80%' },
);
for (const section of document.querySelectorAll('.entry')) observer.observe(section);

// A language that is selected for one sample is selected for all, and stored for the next visit.

const LANGUAGE = 'sample-language';
const radios = [...document.querySelectorAll('.samples input')];
function choose(language) {
  for (const radio of radios) if (radio.value === language) radio.checked = true;
}
addEventListener('change', ({ target }) => {
  if (!radios.includes(target) || target.value === 'Variables') return;
  // Keeps the sample at its position on the screen while the samples above change their height.
  const { top } = target.getBoundingClientRect();
  choose(target.value);
  scrollBy(0, target.getBoundingClientRect().top - top);
  localStorage.setItem(LANGUAGE, target.value);
});
try {
  choose(localStorage.getItem(LANGUAGE));
} catch {
  // Browsers can block storage; the language is then that of this page only.
}
