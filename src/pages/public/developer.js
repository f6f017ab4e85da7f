// The script of the developer pages, which also work without it.

// Presets change the checkboxes in place, so that the other fields keep their values.

const presets = document.querySelectorAll('a[data-scopes]');
const checkboxes = [...document.querySelectorAll('input[name=scope]')];

/** Marks the preset that equals the selection. */
function markPreset() {
  const chosen = checkboxes.filter(({ checked }) => checked).map(({ value }) => value);
  for (const preset of presets) {
    if (preset.dataset.scopes === chosen.join(' ')) preset.setAttribute('aria-current', 'true');
    else preset.removeAttribute('aria-current');
  }
}

for (const preset of presets) {
  preset.addEventListener('click', (event) => {
    event.preventDefault();
    const scopes = preset.dataset.scopes.split(' ');
    for (const checkbox of checkboxes) checkbox.checked = scopes.includes(checkbox.value);
    markPreset();
  });
}
if (presets.length > 0) for (const checkbox of checkboxes) checkbox.addEventListener('change', markPreset);

// Links to pages that send requests store the key in sessionStorage, which browsers copy to the tab that a link opens. The
// key is in no URL.

for (const link of document.querySelectorAll('a[data-key]')) {
  link.hidden = false;
  link.addEventListener('click', () => {
    sessionStorage.setItem('api-key', document.getElementById(link.dataset.key).textContent.trim());
  });
}
