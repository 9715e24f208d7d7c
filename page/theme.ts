// Light and dark: as the system has it, until the reader says otherwise. Where the choice is kept may be barred to pages
// that are opened as files; then it lasts as long as the page.

const key = 'scamp-theme'
const root = document.documentElement

const isDark = () =>
  root.dataset.theme ? root.dataset.theme === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches

/** Does something that browsers may forbid. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Restores the reader's choice. */
export function restoreTheme(): void {
  const kept = attempt(() => localStorage.getItem(key))
  if (kept === 'dark' || kept === 'light') root.dataset.theme = kept
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', announce)
}

/** Goes from light to dark, or back. */
export function switchTheme(): void {
  const wanted = isDark() ? 'light' : 'dark'
  root.dataset.theme = wanted
  attempt(() => localStorage.setItem(key, wanted))
  announce()
}

const announce = () => document.dispatchEvent(new Event('theme'))
