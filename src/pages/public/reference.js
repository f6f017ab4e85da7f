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

// The search matches the text of sections, but not their code.

const links = [...nav.querySelectorAll('a:not(.group)')].map((link) => ({
  link,
  item: link.parentElement,
  name: link.textContent.toLowerCase(),
  words:
    `${link.textContent} ${document.querySelector(`[id="${link.hash.slice(1)}"] .text`)?.textContent}`.toLowerCase(),
}));
const field = document.getElementById('search');
const found = document.getElementById('found');

const wantedWords = () => field.value.toLowerCase().split(/\s+/).filter(Boolean);

function search() {
  const wanted = wantedWords();
  let count = 0;
  for (const { item, words } of links) {
    item.hidden = !wanted.every((word) => words.includes(word));
    if (!item.hidden) count += 1;
  }
  for (const group of nav.querySelectorAll('ul ul')) {
    group.parentElement.hidden = !group.querySelector('li:not([hidden])');
  }
  found.textContent = wanted.length === 0 ? '' : `${count || 'none'} found`;
}
field.addEventListener('input', search);
field.addEventListener('keydown', ({ key }) => {
  if (key !== 'Enter' || field.value.trim() === '') return;
  // Enter opens a section with this name if there is one, otherwise the first that contains the words.
  const shown = links.filter(({ item }) => !item.hidden);
  const best = shown.find(({ name }) => wantedWords().every((word) => name.includes(word))) ?? shown[0];
  if (best) location.hash = best.link.hash;
});

// Marks the section in view in the navigation.

const byId = new Map(links.map(({ link }) => [link.hash.slice(1), link]));
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
choose(localStorage.getItem(LANGUAGE));

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
