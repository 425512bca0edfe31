/** The colour scheme of the pages without Mantine: the one chosen in the account menu, else the system's. */

/** The key in `localStorage` under which Mantine stores the chosen scheme. */
const STORAGE_KEY = 'mantine-color-scheme-value'
const darkQuery = matchMedia('(prefers-color-scheme: dark)')

export function followScheme(): void {
  darkQuery.addEventListener('change', applyScheme)
  addEventListener('storage', applyScheme)
  applyScheme()
}

function applyScheme(): void {
  const chosen = localStorage.getItem(STORAGE_KEY)
  const isDark = chosen === 'dark' || (chosen !== 'light' && darkQuery.matches)
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
}
