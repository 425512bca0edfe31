/** The colour scheme of the pages without Mantine: as chosen in the account menu, else that of the system. */

/** Where Mantine stores the choice. */
const KEY = 'mantine-color-scheme-value'
const system = matchMedia('(prefers-color-scheme: dark)')

export function followScheme(): void {
  system.addEventListener('change', applyScheme)
  addEventListener('storage', applyScheme)
  applyScheme()
}

function applyScheme(): void {
  const chosen = localStorage.getItem(KEY)
  const isDark = chosen === 'dark' || (chosen !== 'light' && system.matches)
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
}
