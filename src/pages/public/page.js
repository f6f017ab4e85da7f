// The script of every page: copy buttons, which are hidden where there is no script.

/** The clipboard is there on secure origins only; elsewhere the text is selected, ready for the keyboard. */
async function copy(source, status) {
  try {
    // biome-ignore lint/performance/useDomNodeTextContent: only what is visible, which is one of several samples
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
