/** The colour scheme of the pages without Mantine: as chosen in the account menu, else that of the system. */

/** Where Mantine stores the choice. */
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
