/**
 * The colour scheme of the pages for people who are not signed in, which do without the components of
 * Mantine: the scheme chosen in the account menu, or else that of the system.
 */

/** The key in `localStorage` under which Mantine stores the chosen scheme. */
const STORAGE_KEY = 'mantine-color-scheme-value'
const darkQuery = matchMedia('(prefers-color-scheme: dark)')

export function followScheme(): void {
  darkQuery.addEventListener('change', applyScheme)
  addEventListener('storage', applyScheme)
  applyScheme()
}

function applyScheme(): void {
  const storedScheme = localStorage.getItem(STORAGE_KEY)
  const isDark = storedScheme === 'dark' || (storedScheme !== 'light' && darkQuery.matches)
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
}
