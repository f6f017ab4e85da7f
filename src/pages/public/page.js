// The script of all pages: copy buttons, which are hidden without JavaScript, and forms.

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
