// The script of all pages: copy buttons, which are hidden without JavaScript, forms, and syntax highlighting.

/** Copies the text; selects it where the clipboard is unavailable, as on insecure origins. */
async function copy(source, status) {
  try {
    // biome-ignore lint/performance/useDomNodeTextContent: copies only the visible one of several samples
    await navigator.clipboard.writeText(source.innerText.trim());
    status.textContent = 'Copied';
  } catch {
    getSelection().selectAllChildren(source);
    status.textContent = 'Selected: copy it with your keyboard';
  }
}

for (const button of document.querySelectorAll('button[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  const status = button.parentElement.querySelector('[role=status]');
  button.hidden = false;
  button.addEventListener('click', () => copy(source, status));
}

// A double click submits a form once: the response to the second request would replace the one that shows a new key.

const RESUBMIT_MS = 10_000;

for (const form of document.querySelectorAll('form[method=post]')) {
  let ignoredUntil = 0;
  form.addEventListener('submit', (event) => {
    if (event.timeStamp < ignoredUntil) event.preventDefault();
    else ignoredUntil = event.timeStamp + RESUBMIT_MS;
  });
  // The browser may keep the page, and show it again after going back.
  addEventListener('pagehide', () => {
    ignoredUntil = 0;
  });
}

// Highlights code in view with the CSS Custom Highlight API. Browsers without it, and those with forced colors, show plain
// code.

const TOKENS = new RegExp(
  [
    /(?<name>"[^"\n]*"(?=:)|\b\w+(?=[:=]))/,
    /(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\n])*'|`[^`]*`)/,
    /(?<number>\b\d[\d.]*\b)/,
    /(?<keyword>\b(?:const|await|new|if|throw|import|from|print|[Tt]rue|[Ff]alse|None|null|query|mutation|curl)\b)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);
const canHighlight = CSS.highlights && !matchMedia('(forced-colors: active)').matches;
/** The ranges of each element. */
const rangesOf = new WeakMap();

/** Colors the code of an element, which has one text node. */
function colorize(code) {
  for (const [kind, range] of rangesOf.get(code) ?? []) CSS.highlights.get(kind).delete(range);
  const ranges = [...code.textContent.matchAll(TOKENS)].map(({ index, 0: { length }, groups }) => {
    const [startContainer, endContainer] = [code.firstChild, code.firstChild];
    const range = new StaticRange({ startContainer, startOffset: index, endContainer, endOffset: index + length });
    return [Object.keys(groups).find((name) => groups[name] !== undefined), range];
  });
  for (const [kind, range] of ranges) {
    if (!CSS.highlights.has(kind)) CSS.highlights.set(kind, new Highlight());
    CSS.highlights.get(kind).add(range);
  }
  rangesOf.set(code, ranges);
}
const colorizer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      colorizer.unobserve(target);
      if (canHighlight) colorize(target);
    }
  },
  { rootMargin: '50%' },
);

/** Sets the text of a code element. */
// biome-ignore lint/correctness/noUnusedVariables: the scripts of other pages call it
function setCode(code, text) {
  code.textContent = text;
  colorizer.observe(code);
}
for (const code of document.querySelectorAll('pre code')) colorizer.observe(code);
