/**
 * The colour scheme of the pages for people who are not signed in: the scheme chosen in the account menu, or
 * else that of the system. These pages do not load the components of Mantine, which would set it.
 */

/** The key in `localStorage` under which Mantine stores the chosen scheme. */
const STORAGE_KEY = 'mantine-color-scheme-value'
const darkSchemeQuery = matchMedia('(prefers-color-scheme: dark)')

export function followScheme(): void {
  darkSchemeQuery.addEventListener('change', applyScheme)
  addEventListener('storage', applyScheme)
  applyScheme()
}

function applyScheme(): void {
  const storedScheme = localStorage.getItem(STORAGE_KEY)
  const isDark = storedScheme === 'dark' || (storedScheme !== 'light' && darkSchemeQuery.matches)
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
}
