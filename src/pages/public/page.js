// The script of all pages: copy buttons, which are hidden without JavaScript.

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
