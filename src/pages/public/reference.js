// The references: search, one language for all samples, the address of the service, syntax highlighting.

// Replaces the address of a local service in code samples with that of this service.

const SAMPLE_ORIGIN = 'http://127.0.0.1:4000';
const blocks = [...document.querySelectorAll('.reference pre code')];
for (const code of [...blocks, ...document.querySelectorAll('.base')]) {
  if (code.textContent.includes(SAMPLE_ORIGIN)) {
    code.textContent = code.textContent.replaceAll(SAMPLE_ORIGIN, location.origin);
  }
}

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

// The search hides the links to other sections. The server finds the sections, as it does without JavaScript.

const byId = new Map([...nav.querySelectorAll('a:not(.group)')].map((link) => [link.hash.slice(1), link]));
const form = nav.querySelector('.search');
const status = document.getElementById('found');
let latest;

/** How long to wait for further input, because each search counts against the limit of the address. */
const PAUSE_MS = 200;

/** The ids of the sections that match, the best first; otherwise what the reader is told. */
async function find(q, signal) {
  try {
    const response = await fetch(`${form.action}.json?${new URLSearchParams({ q })}`, { signal });
    if (response.ok) return await response.json();
    if (response.status === 429) return 'Too many searches; try again in a minute';
  } catch {
    // There is no response.
  }
  return 'The service does not respond';
}

/** Shows only the sections that match. If the form was submitted, opens the best match, or the page of results. */
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
  const ids = Array.isArray(found) ? found : undefined;
  for (const [id, { parentElement }] of byId) parentElement.hidden = ids !== undefined && !ids.includes(id);
  for (const group of nav.querySelectorAll('ul ul')) {
    group.parentElement.hidden = !group.querySelector('li:not([hidden])');
  }
  if (q === '') status.textContent = '';
  else status.textContent = ids ? `${ids.length || 'none'} found` : found;
  if (event.type !== 'submit') return;
  if (ids === undefined) form.submit();
  // Not `location.hash`, which does nothing if the address has this fragment already.
  else if (ids.length > 0) byId.get(ids[0]).click();
}
form.addEventListener('input', search);
form.addEventListener('submit', search);

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

// Highlights syntax with the CSS Custom Highlight API; browsers without it show plain code.

const KEYWORDS =
  'const|await|new|if|throw|import|from|print|None|True|False|true|false|null|query|mutation|on|curl|fragment';
const TOKENS = new RegExp(
  `(?<name>"[^"\\n]*"(?=:)|\\b\\w+(?=[:=]))|(?<string>"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\n])*'|\`[^\`]*\`)|(?<number>\\b\\d[\\d.]*\\b)|(?<keyword>\\b(?:${KEYWORDS})\\b)`,
  'g',
);

/** Highlights the code of an element, which has one text node. */
function colorize(code) {
  if (!CSS.highlights || !code.firstChild) return;
  for (const { index, 0: text, groups } of code.textContent.matchAll(TOKENS)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    const range = new StaticRange({
      startContainer: code.firstChild,
      startOffset: index,
      endContainer: code.firstChild,
      endOffset: index + text.length,
    });
    if (!CSS.highlights.has(kind)) CSS.highlights.set(kind, new Highlight());
    CSS.highlights.get(kind).add(range);
  }
}
const colorizer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      colorizer.unobserve(target);
      for (const code of target.querySelectorAll('pre code')) colorize(code);
    }
  },
  { rootMargin: '50%' },
);
for (const aside of document.querySelectorAll('.aside')) colorizer.observe(aside);
